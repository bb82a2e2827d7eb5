import { refusalOf } from '../answer.ts'
import type { SendOutcome, Way } from './seal-lane.ts'

/** What is known of the line to the server; one of these serves all uploads of a page. */
export interface WayKeeper {
  readonly current: () => Way
  /** Told how each attempt by a way ended. True when the other way is worth an attempt at once. */
  learn(way: Way, outcome: SendOutcome): boolean
}

/** For places that take files as requests only. */
export const byRequestsOnly: WayKeeper = { current: () => 'request', learn: () => false }

/** So many times in a row a way may be cut off or not reach the server before the other is tried. */
const mostCuts = 2

/** Passing by themselves: another attempt of the same kind may do. */
const passing = new Set([401, 407, 408, 425, 429])

/**
 * Begins with one way and changes it when something between here and the server does not let it through: that answers in
 * the server's place, or cuts connections. A change that was made for an answer is not taken back more than once.
 */
export function createWayKeeper(first: Way = 'request'): WayKeeper {
  let current = first
  let cuts = 0
  let hasBeenRefused = false

  function change(): void {
    current = current === 'request' ? 'socket' : 'request'
    cuts = 0
  }

  return {
    current: () => current,
    learn(way, outcome) {
      // What comes late, of a way that was left already, says nothing new.
      if (way !== current) return isForeign(outcome)
      if (outcome.kind === 'unreachable') {
        cuts += 1
        if (cuts === mostCuts) change()
        return false
      }
      cuts = 0
      if (way === 'socket' || hasBeenRefused || !isForeign(outcome)) return false
      hasBeenRefused = true
      change()
      return true
    },
  }
}

/** Whether this was not the server's own answer, and will not change by waiting. */
function isForeign(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'answered' || outcome.status >= 500 || passing.has(outcome.status)) return false
  if (outcome.status >= 400) return refusalOf(outcome, 0).code === null
  return !outcome.body.trimStart().startsWith('{')
}
