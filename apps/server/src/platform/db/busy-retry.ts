import { setTimeout as pause } from 'node:timers/promises'
import { isBusy, toOutageError } from './database-errors.ts'

const busyTimeoutMs = 5000
const retryIntervalMs = 20
/** After this time without a busy error, the timeout starts again. */
const quietResetMs = 1000

export type BusyRetry = <Result>(work: () => Result) => Promise<Result>

/**
 * Retries while another connection is writing to the embedded database, for at most 5 seconds in all: later calls share
 * the timeout of earlier ones. Then rejects with UNAVAILABLE.
 */
export function createBusyRetry(): BusyRetry {
  let busySince = Number.NEGATIVE_INFINITY
  let busyAt = Number.NEGATIVE_INFINITY

  function isWithinTimeout(): boolean {
    const now = performance.now()
    if (now - busyAt > quietResetMs) busySince = now
    busyAt = now
    return now - busySince < busyTimeoutMs
  }

  return async (work) => {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || !isWithinTimeout()) throw toOutageError(error)
      }
      await pause(retryIntervalMs)
    }
  }
}
