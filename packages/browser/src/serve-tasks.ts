import { ClientError } from '@sallyport/client/errors'
import type { TaskArgument, TaskFailure, TaskReport, TaskRequest } from './task-messages.ts'

/** The worker's global scope, or a port of a worker. */
interface TaskEndpoint {
  onmessage: ((event: MessageEvent<TaskRequest>) => unknown) | null
  postMessage(report: TaskReport): void
}

/** Runs these tasks on request of the page. */
export function serveTasks<Tasks extends object>(tasks: Tasks, endpoint: TaskEndpoint = self): void {
  const controllers = new Map<number, AbortController>()
  const post = (report: TaskReport) => endpoint.postMessage(report)

  endpoint.onmessage = async ({ data }) => {
    const { number } = data
    if ('isAborted' in data) return controllers.get(number)?.abort()
    const controller = new AbortController()
    controllers.set(number, controller)
    const decode = (input: TaskArgument): unknown => {
      if (input === 'signal') return controller.signal
      return input === 'callback' ? (progress: unknown) => post({ number, progress }) : input.value
    }
    try {
      const task = tasks[data.name as keyof Tasks] as (...inputs: unknown[]) => unknown
      post({ number, result: await task(...data.inputs.map(decode)) })
    } catch (error) {
      post({ number, failure: toFailure(error) })
    } finally {
      controllers.delete(number)
    }
  }
  post({ isReady: true })
}

function toFailure(error: unknown): TaskFailure {
  const { code, index } = error instanceof ClientError ? error : { code: null, index: undefined }
  return { code, index, text: String(error) }
}
