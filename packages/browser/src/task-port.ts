import { ClientError } from '@sallyport/client/errors'
import { loadCode } from './load-code.ts'
import type { TaskArgument, TaskFailure, TaskReport, TaskRequest } from './task-messages.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

type Inputs<Task> = Task extends (...inputs: infer Values extends unknown[]) => unknown ? Values : never
type Result<Task> = Task extends (...inputs: never[]) => Promise<infer Value> ? Value : never

/** A worker that runs tasks. */
export interface TaskPort<Tasks extends object> {
  /**
   * Every call posts a task to the worker. Rejects with the signal's reason when a signal among the arguments is
   * aborted.
   */
  readonly tasks: Tasks
  /** Runs a task and transfers these objects instead of copying them. */
  run<Name extends keyof Tasks & string>(
    name: Name,
    inputs: Inputs<Tasks[Name]>,
    transfer?: Transferable[],
  ): Promise<Result<Tasks[Name]>>
  /** Terminates the worker, which frees its memory at once, and rejects pending tasks. */
  end(): void
}

interface PendingTask {
  readonly onProgress: ((progress: unknown) => void) | undefined
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

/** Starts a worker. Its tasks wait until its code is loaded, also while the server is away. */
export function startWorker<Tasks extends object>(url: string, name: string): TaskPort<Tasks> {
  const queued: [TaskRequest, Transferable[]][] = []
  const ending = new AbortController()
  const endpoint: TaskEndpoint = {
    onmessage: null,
    postMessage: (...request) => void queued.push(request),
  }
  const port = openTaskPort<Tasks>(endpoint, () => ending.abort())

  function begin(worker: Worker): void {
    endpoint.postMessage = (request, transfer) => worker.postMessage(request, transfer)
    worker.onmessage = (event) => endpoint.onmessage?.(event)
    worker.onerror = port.fail
    for (const request of queued.splice(0)) worker.postMessage(...request)
  }

  loadCode(() => createWorker(url, name, ending.signal)).then(begin, port.fail)
  return port
}

/** Resolves once the code of a new worker runs; rejects if it could not be loaded. Aborting terminates the worker. */
function createWorker(url: string, name: string, signal: AbortSignal): Promise<Worker> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return
    const worker = new Worker(trustedScriptUrl(url), { type: 'module', name })
    signal.addEventListener('abort', () => worker.terminate())
    worker.onmessage = () => resolve(worker)
    worker.onerror = () => {
      worker.terminate()
      // What Vite says of other code that could not be loaded.
      dispatchEvent(new Event('vite:preloadError'))
      reject(new TypeError('The code of a worker could not be loaded'))
    }
  })
}

/** Runs one task in a worker of its own and terminates that afterwards, which frees its memory. */
export async function runInWorker<Tasks extends object, Value>(
  url: string,
  name: string,
  run: (tasks: Tasks) => Promise<Value>,
): Promise<Value> {
  const { tasks, end } = startWorker<Tasks>(url, name)
  try {
    return await run(tasks)
  } finally {
    end()
  }
}

interface TaskEndpoint {
  onmessage: ((event: MessageEvent<TaskReport>) => void) | null
  postMessage(request: TaskRequest, transfer: Transferable[]): void
}

/** Runs tasks at the other end of a port. `fail` rejects pending tasks when that end is gone. */
export function openTaskPort<Tasks extends object>(
  endpoint: TaskEndpoint,
  end: () => void,
): TaskPort<Tasks> & { fail(): void } {
  const pending = new Map<number, PendingTask>()
  let lastNumber = 0
  let isClosed = false

  endpoint.onmessage = ({ data }) => {
    if ('isReady' in data) return
    const task = pending.get(data.number)
    if ('progress' in data) return task?.onProgress?.(data.progress)
    pending.delete(data.number)
    if ('result' in data) task?.resolve(data.result as never)
    else task?.reject(toError(data.failure))
  }
  function rejectAll(error: Error): void {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  async function run(name: string, inputs: readonly unknown[], transfer: Transferable[] = []): Promise<never> {
    const signal = inputs.find((input) => input instanceof AbortSignal)
    signal?.throwIfAborted()
    // The other end is gone, or this one was closed: nothing would answer.
    if (isClosed) throw new ClientError('WORKER_STOPPED')
    lastNumber += 1
    const number = lastNumber
    const abort = () => {
      endpoint.postMessage({ number, isAborted: true }, [])
      pending.get(number)?.reject(signal?.reason)
      pending.delete(number)
    }
    signal?.addEventListener('abort', abort)
    return new Promise<never>((resolve, reject) => {
      pending.set(number, { onProgress: inputs.find(isCallback), resolve, reject })
      endpoint.postMessage({ number, name, inputs: inputs.map(encodeArgument) }, transfer)
    }).finally(() => signal?.removeEventListener('abort', abort))
  }

  return {
    tasks: new Proxy({} as Tasks, {
      get:
        (_, name) =>
        (...inputs: unknown[]) =>
          run(String(name), inputs),
    }),
    run,
    end() {
      isClosed = true
      end()
      rejectAll(new Error('The worker was terminated'))
    },
    fail() {
      isClosed = true
      rejectAll(new ClientError('WORKER_STOPPED'))
    },
  }
}

const toError = ({ code, index, text }: TaskFailure): ClientError =>
  new ClientError(code ?? 'WORKER_FAILED', { ...(index !== undefined && { index }), cause: text })

const isCallback = (input: unknown): input is (progress: unknown) => void => typeof input === 'function'

function encodeArgument(input: unknown): TaskArgument {
  if (input instanceof AbortSignal) return 'signal'
  return isCallback(input) ? 'callback' : { value: input }
}
