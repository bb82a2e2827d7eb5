import { setTimeout as pause } from 'node:timers/promises'
import { asOutage, isBusy } from './failures.ts'

const busyForMs = 5000
const betweenTriesMs = 20
/** Whoever finds the database busy after so long a silence waits anew. */
const forgottenAfterMs = 1000

export type Patience = <Result>(work: () => Result) => Promise<Result>

/**
 * Tries again while somebody else is writing to the embedded database, for five seconds in all: who comes later does not
 * begin to wait anew. What the database does not give is told as an outage.
 */
export function createPatience(): Patience {
  let busySince = Number.NEGATIVE_INFINITY
  let busyAt = Number.NEGATIVE_INFINITY

  function isStillPatient(): boolean {
    const now = performance.now()
    if (now - busyAt > forgottenAfterMs) busySince = now
    busyAt = now
    return now - busySince < busyForMs
  }

  return async (work) => {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || !isStillPatient()) throw asOutage(error)
      }
      await pause(betweenTriesMs)
    }
  }
}
