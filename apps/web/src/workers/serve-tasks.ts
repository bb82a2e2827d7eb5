import type { Task, TaskReport, TaskRequest } from './tasks.ts'

interface Running<Progress> {
  readonly report: (progress: Progress) => void
  readonly signal: AbortSignal
}

type Handlers<Tasks extends Record<keyof Tasks, Task>> = {
  readonly [Kind in keyof Tasks]: (
    ask: Tasks[Kind]['ask'],
    running: Running<Tasks[Kind]['progress']>,
  ) => Promise<Tasks[Kind]['result']>
}

/** Where requests come in and reports go out: the worker itself, or one port of it. */
interface Place {
  onmessage: ((event: MessageEvent<TaskRequest>) => unknown) | null
  postMessage(report: TaskReport): void
}

/** Lets the page run these tasks in this worker. */
export function serveTasks<Tasks extends Record<keyof Tasks, Task>>(
  handlers: Handlers<Tasks>,
  place: Place = self,
): void {
  const stops = new Map<number, AbortController>()
  const tell = (report: TaskReport) => place.postMessage(report)

  place.onmessage = async ({ data }) => {
    const { number } = data
    if (!('ask' in data)) return stops.get(number)?.abort()
    const stop = new AbortController()
    stops.set(number, stop)
    try {
      const handle = handlers[data.kind as keyof Tasks]
      const report = (progress: unknown) => tell({ number, progress })
      tell({ number, result: await handle(data.ask, { report, signal: stop.signal }) })
    } catch (error) {
      tell({ number, failure: error instanceof Error ? error.message : String(error) })
    } finally {
      stops.delete(number)
    }
  }
}
