import { toApiError } from '@sallyport/client/response'
import type { SendOutcome, UploadTransport } from './encrypt-worker.ts'

/** Selects the upload transport by what is known of the network; one instance serves all uploads of a page. */
export interface TransportSelector {
  readonly current: () => UploadTransport
  /** Records the outcome of an attempt. Returns true if a retry with the other transport is useful at once. */
  recordOutcome(transport: UploadTransport, outcome: SendOutcome): boolean
  /** Whether an intermediary accepts only small bodies, so that chunks have to be as small as possible. */
  readonly hasSmallBodies: () => boolean
  setSmallBodies(): void
}

/** For destinations that accept files only as requests; shares what is known of bodies. */
export const requestsOnly = (transports: TransportSelector): TransportSelector => ({
  ...transports,
  current: () => 'request',
  recordOutcome: () => false,
})

/** How many consecutive dropped connections switch to the other transport. */
const maxDrops = 2

/** Transient: another attempt with the same transport may succeed. */
const transientStatuses = new Set([401, 407, 408, 425, 429])

/**
 * Starts with one transport and switches when an intermediary (such as a proxy) blocks it: it answers in place of the
 * server, or drops connections. A switch because of a response happens only once.
 */
export function createTransportSelector(initial: UploadTransport = 'request'): TransportSelector {
  let current = initial
  let drops = 0
  let hasSwitchedForResponse = false
  let hasSmallBodies = false

  function switchTransport(): void {
    current = current === 'request' ? 'socket' : 'request'
    drops = 0
  }

  return {
    current: () => current,
    hasSmallBodies: () => hasSmallBodies,
    setSmallBodies() {
      hasSmallBodies = true
    },
    recordOutcome(transport, outcome) {
      // A late outcome of the previous transport is no new information.
      if (transport !== current) return isFromIntermediary(outcome)
      if (outcome.kind === 'unreachable') {
        drops += 1
        if (drops === maxDrops) switchTransport()
        return false
      }
      drops = 0
      if (transport === 'socket' || hasSwitchedForResponse || !isFromIntermediary(outcome)) return false
      hasSwitchedForResponse = true
      switchTransport()
      return true
    },
  }
}

/** Whether an intermediary sent the response, and waiting will not change it. */
function isFromIntermediary(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'answered' || outcome.status >= 500 || transientStatuses.has(outcome.status)) return false
  if (outcome.status >= 400) return toApiError(outcome, 0).code === null
  return !outcome.body.trimStart().startsWith('{')
}
