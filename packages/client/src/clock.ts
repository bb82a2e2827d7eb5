/** Time as an argument, so that a test never waits. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Settles after so many milliseconds; rejects with the signal's reason when that comes first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const giveUp = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', giveUp, { once: true })
    }),
}

interface Deadline {
  readonly clock: Clock
  /** Without one there is no limit. */
  readonly timeoutMs: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs work under a signal that is aborted with a `TimeoutError` when the time is up. */
export async function withDeadline<T>(
  { clock, timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const finished = new AbortController()
  if (timeoutMs !== undefined) {
    clock.wait(timeoutMs, finished.signal).then(
      () => deadline.abort(new DOMException('The time is up', 'TimeoutError')),
      () => undefined,
    )
  }
  try {
    return await work(signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal)
  } finally {
    finished.abort()
  }
}

/** The work's outcome, or the signal's reason when that comes first; the work itself goes on. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })

export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** Does the work again and again until the signal ends it. */
export function repeatEvery(milliseconds: number, work: () => void, { clock, signal }: Beat): void {
  clock.wait(milliseconds, signal).then(
    () => {
      work()
      repeatEvery(milliseconds, work, { clock, signal })
    },
    () => undefined,
  )
}

interface Beat {
  readonly clock: Clock
  readonly signal: AbortSignal
}
