import { sessionLimits } from '@sallyport/contract/limits'
import { sealGrant } from '@sallyport/crypto/cpace'
import { type Clock, systemClock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import {
  type AdmissionContext,
  type AdmissionMessage,
  aadOf,
  formatAdmissionMessage,
  parseAdmissionMessage,
  startExchange,
} from './admission-messages.ts'
import { createCode } from './pin.ts'

export interface PendingAdmission {
  readonly requestId: string
  readonly participantId: string
}

export type AdmissionOutcome = 'admitted' | 'wrong-code' | 'timeout' | 'cancelled'

export interface OngoingAdmission {
  /** Six digits that the member tells the newcomer and no one else; valid for one attempt within two minutes. */
  readonly code: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Makes the code useless and denies the request. */
  cancel(): Promise<void>
  readonly finished: Promise<AdmissionOutcome>
}

export interface AdmissionQueue extends Observable<readonly PendingAdmission[]> {
  admit(pending: PendingAdmission): Promise<OngoingAdmission>
  /** Denies the request for all members, and tells the newcomer. */
  deny(pending: PendingAdmission): Promise<void>
  stop(): void
}

interface AdmissionQueueDeps extends AdmissionContext {
  readonly linkSecret: Uint8Array
  readonly clock?: Clock
}

const maxFailedCodes = 3

/** Lists the admission requests of a private session, and admits a newcomer who enters the code of this member. */
export function openAdmissionQueue({
  relay,
  origin,
  sessionId,
  linkSecret,
  clock = systemClock,
}: AdmissionQueueDeps): AdmissionQueue {
  const requests = createSubject<readonly PendingAdmission[]>([])
  const handlers = new Map<string, (from: string, message: AdmissionMessage) => void>()
  const failures = new Map<string, { count: number; until: number }>()

  function isBlocked(participantId: string): boolean {
    const failure = failures.get(participantId)
    return failure !== undefined && failure.until > clock.now() && failure.count >= maxFailedCodes
  }

  function countFailedCode(participantId: string): void {
    const count = (failures.get(participantId)?.count ?? 0) + 1
    failures.set(participantId, { count, until: clock.now() + sessionLimits.creatorSilenceMs })
  }

  const removeRequest = (requestId: string) =>
    requests.set(requests.current().filter((request) => request.requestId !== requestId))

  const stop = relay.subscribe((from, body) => {
    const message = parseAdmissionMessage(body)
    if (!message) return
    if (message.kind === 'knock' && !isBlocked(from)) {
      requests.set([
        ...requests.current().filter(({ participantId }) => participantId !== from),
        { requestId: message.requestId, participantId: from },
      ])
    }
    // Another member has offered a code first.
    if (message.kind === 'offer' && !handlers.has(message.requestId)) removeRequest(message.requestId)
    // The newcomer has left, or another member has denied the request.
    if (message.kind === 'cancel') removeRequest(message.requestId)
    handlers.get(message.requestId)?.(from, message)
  })

  async function admit({ requestId, participantId }: PendingAdmission): Promise<OngoingAdmission> {
    const code = createCode()
    const expiresAt = clock.now() + sessionLimits.admissionCodeMs
    const exchangeId = crypto.getRandomValues(new Uint8Array(16))
    const exchange = await startExchange({ role: 'responder', code, requestId, exchangeId, origin, sessionId })
    const { promise: finished, resolve } = Promise.withResolvers<AdmissionOutcome>()
    const finishing = new AbortController()
    const send = (kind: AdmissionMessage['kind'], ...parts: AdmissionMessage['parts']) =>
      relay.send(formatAdmissionMessage({ kind, requestId, parts }))

    function finish(outcome: AdmissionOutcome): void {
      if (finishing.signal.aborted) return
      finishing.abort()
      handlers.delete(requestId)
      removeRequest(requestId)
      if (outcome === 'wrong-code') countFailedCode(participantId)
      resolve(outcome)
    }

    async function handleElement({ parts: [element] }: AdmissionMessage): Promise<void> {
      if (!element) return finish('wrong-code')
      const keys = await exchange.finish({ element, aad: aadOf(requestId, 'initiator') })
      handlers.set(requestId, (from, message) => {
        if (from !== participantId) return
        if (message.kind === 'fail') return finish('wrong-code')
        if (message.kind === 'cancel') return finish('cancelled')
        if (message.kind === 'ok') void grant(message).catch(() => reject())
      })
      await send('y2', exchange.message.element, await keys.tag())

      async function grant({ parts: [tag] }: AdmissionMessage): Promise<void> {
        await keys.requireTag(tag ?? new Uint8Array(0))
        await send('grant', await sealGrant(keys, linkSecret))
        finish('admitted')
      }
    }

    async function reject(): Promise<void> {
      finish('wrong-code')
      await send('fail')
    }

    handlers.set(requestId, (from, message) => {
      if (from !== participantId) return
      if (message.kind === 'cancel') return finish('cancelled')
      if (message.kind !== 'y') return
      // Each code is valid for one attempt: the handler is removed whatever the outcome.
      handlers.delete(requestId)
      void handleElement(message).catch(() => reject())
    })
    await send('offer', exchangeId)
    void clock.wait(sessionLimits.admissionCodeMs, finishing.signal).then(
      () => finish('timeout'),
      () => undefined,
    )
    async function cancel(): Promise<void> {
      finish('cancelled')
      await send('cancel')
    }

    return { code, expiresAt, cancel, finished }
  }

  async function deny({ requestId }: PendingAdmission): Promise<void> {
    removeRequest(requestId)
    await relay.send(formatAdmissionMessage({ kind: 'cancel', requestId, parts: [] }))
  }

  return { current: requests.current, subscribe: requests.subscribe, admit, deny, stop }
}
