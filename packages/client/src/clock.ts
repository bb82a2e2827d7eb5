/** Time as a dependency, so that tests never wait. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after this many milliseconds; rejects with the signal's reason if that is aborted first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A clock that is set while the page is open must neither end nor prolong what is measured. */
const startedAt = Date.now() - performance.now()

export const systemClock: Clock = {
  now: () => Math.floor(startedAt + performance.now()),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

interface DeadlineOptions {
  readonly clock: Clock
  /** Undefined means no limit. */
  readonly timeoutMs: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs work under a signal that is aborted with a `TimeoutError` after `timeoutMs`. */
export async function withDeadline<T>(
  { clock, timeoutMs, signal }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const finished = new AbortController()
  if (timeoutMs !== undefined) {
    clock.wait(timeoutMs, finished.signal).then(
      () => deadline.abort(new DOMException('The operation timed out', 'TimeoutError')),
      () => undefined,
    )
  }
  try {
    return await work(signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal)
  } finally {
    finished.abort()
  }
}

/**
 * Returns the work's outcome, or rejects with the signal's reason if that is aborted first; the work itself continues.
 */
export const raceAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })

/** Returns the work's outcome, or rejects with a `TimeoutError` or the signal's reason; the work itself continues. */
export const raceDeadline = <T>(work: Promise<T>, options: DeadlineOptions): Promise<T> =>
  withDeadline(options, (ended) => raceAbort(work, ended))

export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Runs the work at this interval until the signal is aborted. */
export function runEvery(milliseconds: number, work: () => void, { clock, signal }: RunEveryOptions): void {
  clock.wait(milliseconds, signal).then(
    () => {
      work()
      runEvery(milliseconds, work, { clock, signal })
    },
    () => undefined,
  )
}

interface RunEveryOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}
