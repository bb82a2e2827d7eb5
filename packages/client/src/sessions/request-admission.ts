import { ignore } from '@sallyport/contract/ignore'
import { sessionLimits } from '@sallyport/contract/limits'
import { CryptoError, toBase64url } from '@sallyport/crypto'
import { type CpaceKeys, openGrant } from '@sallyport/crypto/cpace'
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

export type AdmissionRequestState =
  | 'requested'
  | 'code'
  | 'verifying'
  | 'admitted'
  | 'wrong-code'
  /** A member has denied the request, or withdrawn the code. */
  | 'denied'
  /** The code was not entered in time. */
  | 'expired'

export interface AdmissionRequest extends Observable<AdmissionRequestState> {
  /** Enters the digits that a member has read out. Only in the state `code`. */
  enterCode(code: string): Promise<void>
  /** Sends a new request after one that failed. */
  retry(): Promise<void>
  /**
   * The session's link secret, once a member has admitted the caller. Never rejects; stays pending if no member does.
   */
  readonly linkSecret: Promise<Uint8Array<ArrayBuffer>>
  /** Withdraws the request. */
  stop(): void
}

interface AdmissionRequestInput extends AdmissionContext {
  readonly clock?: Clock
}

/** Asks the members of a private session to admit this newcomer. The server relays the messages and learns nothing. */
export function requestAdmission({
  relay,
  origin,
  sessionId,
  clock = systemClock,
}: AdmissionRequestInput): AdmissionRequest {
  const state = createSubject<AdmissionRequestState>('requested')
  const { promise: linkSecret, resolve: admit } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  let requestId = createRequestId()
  let offer: { readonly from: string; readonly exchangeId: Uint8Array } | null = null
  let codeEnded: AbortController | null = null
  let handleReply: ((message: AdmissionMessage) => Promise<void>) | null = null

  const send = (kind: AdmissionMessage['kind'], ...parts: AdmissionMessage['parts']) =>
    relay.send(formatAdmissionMessage({ kind, requestId, parts }))

  function fail(reason: 'wrong-code' | 'denied' | 'expired' = 'wrong-code'): void {
    handleReply = null
    offer = null
    codeEnded?.abort()
    state.set(reason)
  }

  function expireCode(): void {
    const ended = new AbortController()
    codeEnded = ended
    void clock.wait(sessionLimits.admissionCodeMs, ended.signal).then(
      () => fail('expired'),
      () => undefined,
    )
  }

  async function verify(
    exchange: Awaited<ReturnType<typeof startExchange>>,
    { parts }: AdmissionMessage,
  ): Promise<void> {
    const [element, tag] = parts
    if (!element || !tag) return fail()
    const keys = await exchange.finish({ element, aad: aadOf(requestId, 'responder') })
    await keys.requireTag(tag)
    handleReply = (message) => acceptGrant(keys, message)
    await send('ok', await keys.tag())
  }

  async function acceptGrant(keys: CpaceKeys, { parts: [sealed] }: AdmissionMessage): Promise<void> {
    if (!sealed) return fail()
    const secret = await openGrant(keys, sealed)
    state.set('admitted')
    unsubscribe()
    codeEnded?.abort()
    admit(secret)
  }

  async function handleMessage(from: string, message: AdmissionMessage): Promise<void> {
    if (message.kind === 'offer' && state.current() === 'requested' && message.parts[0]) {
      offer = { from, exchangeId: message.parts[0] }
      expireCode()
      return state.set('code')
    }
    if (message.kind === 'cancel' && (state.current() === 'requested' || from === offer?.from)) return fail('denied')
    // The code belongs to the first member who offered one; messages of other members are ignored.
    if (from !== offer?.from) return
    if (message.kind === 'fail') return fail()
    if (message.kind === 'y2' || message.kind === 'grant') await handleReply?.(message)
  }

  const unsubscribe = relay.subscribe((from, body) => {
    const message = parseAdmissionMessage(body)
    if (!message || message.requestId !== requestId) return
    handleMessage(from, message).catch(async (error: unknown) => {
      if (!(error instanceof CryptoError)) throw error
      fail()
      await send('fail')
    })
  })
  void send('knock')

  return {
    current: state.current,
    subscribe: state.subscribe,
    linkSecret,
    stop() {
      const isOpen = state.current() === 'requested' || offer !== null
      unsubscribe()
      codeEnded?.abort()
      if (isOpen && state.current() !== 'admitted')
        send('cancel').catch((error) => ignore(error, 'the code expires by itself'))
    },
    async enterCode(code) {
      if (!offer || state.current() !== 'code') return
      state.set('verifying')
      const exchange = await startExchange({
        role: 'initiator',
        code,
        requestId,
        exchangeId: offer.exchangeId,
        origin,
        sessionId,
      })
      handleReply = (message) => verify(exchange, message)
      await send('y', exchange.message.element)
    },
    async retry() {
      requestId = createRequestId()
      offer = null
      state.set('requested')
      await send('knock')
    },
  }
}

const createRequestId = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(16)))
