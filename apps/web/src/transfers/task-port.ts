import { trustedScriptUrl } from '#/ui/trusted-script-url.ts'
import type { Task, TaskReport, TaskRequest } from '#/workers/tasks.ts'

interface RunOptions<Progress> {
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
  /** What changes hands instead of being copied. */
  readonly transfer?: Transferable[]
}

/** A worker that runs tasks. Ending it frees its memory at once and rejects what it had not finished. */
export interface TaskPort<Tasks extends Record<keyof Tasks, Task>> {
  run<Kind extends keyof Tasks & string>(
    kind: Kind,
    ask: Tasks[Kind]['ask'],
    options?: RunOptions<Tasks[Kind]['progress']>,
  ): Promise<Tasks[Kind]['result']>
  end(): void
}

interface Pending {
  readonly onProgress: ((progress: never) => void) | undefined
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

export function startWorker<Tasks extends Record<keyof Tasks, Task>>(url: string, name: string): TaskPort<Tasks> {
  const worker = new Worker(trustedScriptUrl(url), { type: 'module', name })
  const port = openTaskPort<Tasks>(worker, () => worker.terminate())
  worker.onerror = () => port.fail()
  return port
}

const goneMessage = 'A part of this page that works in the background stopped unexpectedly'

interface Place {
  onmessage: ((event: MessageEvent<TaskReport>) => void) | null
  postMessage(request: TaskRequest, transfer: Transferable[]): void
}

/** Runs tasks at the other end of a port; `fail` rejects what is under way when that end is gone. */
export function openTaskPort<Tasks extends Record<keyof Tasks, Task>>(
  place: Place,
  end: () => void,
): TaskPort<Tasks> & { fail(): void } {
  const pending = new Map<number, Pending>()
  const tell = (request: TaskRequest, transfer: Transferable[] = []) => place.postMessage(request, transfer)
  let lastNumber = 0
  let hasFailed = false

  place.onmessage = ({ data }) => {
    const task = pending.get(data.number)
    if ('progress' in data) return task?.onProgress?.(data.progress as never)
    pending.delete(data.number)
    if ('result' in data) task?.resolve(data.result as never)
    else task?.reject(new Error(data.failure))
  }
  function rejectAll(message: string): void {
    for (const { reject } of pending.values()) reject(new Error(message))
    pending.clear()
  }

  return {
    run(kind, ask, { onProgress, signal, transfer } = {}) {
      signal?.throwIfAborted()
      // Nobody is there to answer any more.
      if (hasFailed) return Promise.reject(new Error(goneMessage))
      lastNumber += 1
      const number = lastNumber
      const stop = () => {
        tell({ number, kind: 'stop-task' })
        pending.get(number)?.reject(signal?.reason)
        pending.delete(number)
      }
      signal?.addEventListener('abort', stop)
      return new Promise<never>((resolve, reject) => {
        pending.set(number, { onProgress, resolve, reject })
        tell({ number, kind, ask }, transfer)
      }).finally(() => signal?.removeEventListener('abort', stop))
    },
    end() {
      end()
      rejectAll('The work was stopped')
    },
    fail() {
      hasFailed = true
      rejectAll(goneMessage)
    },
  }
}
