import { CryptoError, toBase64url } from '@sallyport/crypto'
import { type CpaceKeys, openGrant } from '@sallyport/crypto/cpace'
import { createSubject, type Observable } from '../observable.ts'
import {
  type AdmissionPlace,
  associatedOf,
  type Piece,
  readPiece,
  startExchange,
  writePiece,
} from './admission-pieces.ts'

export type AskingState = 'knocking' | 'code' | 'verifying' | 'admitted' | 'wrong-code'

export interface Asking extends Observable<AskingState> {
  /** Only while the state is `code`: the digits that a member has said. */
  enterCode(code: string): Promise<void>
  /** Knocks again after a wrong code. */
  again(): Promise<void>
  /** The secret of the session, once a member has let the caller in. Never rejects; waits for ever when nobody does. */
  readonly linkSecret: Promise<Uint8Array<ArrayBuffer>>
  stop(): void
}

/** Asks the members of a private session to let this newcomer in; the server carries the words and learns nothing. */
export function askForAdmission({ relay, origin, sessionId }: AdmissionPlace): Asking {
  const state = createSubject<AskingState>('knocking')
  const { promise: linkSecret, resolve: admit } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  let kid = newKid()
  let offer: { readonly from: string; readonly exchangeId: Uint8Array } | null = null
  let answered: ((piece: Piece) => Promise<void>) | null = null

  const send = (kind: Piece['kind'], ...parts: Piece['parts']) => relay.send(writePiece({ kind, kid, parts }))

  function fail(): void {
    answered = null
    offer = null
    state.set('wrong-code')
  }

  async function verify(exchange: Awaited<ReturnType<typeof startExchange>>, { parts }: Piece): Promise<void> {
    const [element, tag] = parts
    if (!element || !tag) return fail()
    const keys = await exchange.finish({ element, associated: associatedOf(kid, 'responder') })
    await keys.requireTag(tag)
    answered = (piece) => takeGrant(keys, piece)
    await send('ok', await keys.tag())
  }

  async function takeGrant(keys: CpaceKeys, { parts: [sealed] }: Piece): Promise<void> {
    if (!sealed) return fail()
    const secret = await openGrant(keys, sealed)
    state.set('admitted')
    stop()
    admit(secret)
  }

  async function hear(from: string, piece: Piece): Promise<void> {
    if (piece.kind === 'offer' && state.current() === 'knocking' && piece.parts[0]) {
      offer = { from, exchangeId: piece.parts[0] }
      return state.set('code')
    }
    // The first who offered is the one the code is from; nobody else has a say in it.
    if (from !== offer?.from) return
    if (piece.kind === 'fail') return fail()
    if (piece.kind === 'y2' || piece.kind === 'grant') await answered?.(piece)
  }

  const stop = relay.subscribe((from, body) => {
    const piece = readPiece(body)
    if (!piece || piece.kid !== kid) return
    hear(from, piece).catch(async (error: unknown) => {
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
    stop,
    async enterCode(code) {
      if (!offer || state.current() !== 'code') return
      state.set('verifying')
      const exchange = await startExchange({
        role: 'initiator',
        code,
        kid,
        exchangeId: offer.exchangeId,
        origin,
        sessionId,
      })
      answered = (piece) => verify(exchange, piece)
      await send('y', exchange.message.element)
    },
    async again() {
      kid = newKid()
      offer = null
      state.set('knocking')
      await send('knock')
    },
  }
}

const newKid = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(16)))
