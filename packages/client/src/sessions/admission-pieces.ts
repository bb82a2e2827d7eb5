import { fromBase64url, toBase64url } from '@sallyport/crypto'
import { type Cpace, type CpaceRole, lengthPrefixed, startCpace } from '@sallyport/crypto/cpace'

/** One thing that a newcomer and a member say to each other, by way of a server that understands none of it. */
export interface Piece {
  readonly kind: 'knock' | 'offer' | 'y' | 'y2' | 'ok' | 'fail' | 'grant'
  /** The newcomer's own number for this try. */
  readonly kid: string
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

/** Carries pieces between everybody in a session, in one order for all. */
export interface AdmissionRelay {
  send(body: string): Promise<unknown>
  /** Gives the function that ends the subscription. */
  subscribe(listener: (from: string, body: string) => void): () => void
}

export interface AdmissionPlace {
  readonly relay: AdmissionRelay
  /** Where the page comes from: a code typed at another address opens nothing here. */
  readonly origin: string
  readonly sessionId: string
}

const kinds: ReadonlySet<string> = new Set<Piece['kind']>(['knock', 'offer', 'y', 'y2', 'ok', 'fail', 'grant'])
const utf8 = (text: string) => new TextEncoder().encode(text)

export const writePiece = ({ kind, kid, parts }: Piece): string => [kind, kid, ...parts.map(toBase64url)].join('.')

/** Null for what nobody of ours has written. */
export function readPiece(body: string): Piece | null {
  const [kind = '', kid = '', ...texts] = body.split('.')
  if (!kinds.has(kind) || !/^[A-Za-z0-9_-]{22}$/.test(kid)) return null
  try {
    return { kind: kind as Piece['kind'], kid, parts: texts.map((text) => fromBase64url(text)) }
  } catch {
    return null
  }
}

interface Exchange extends Pick<AdmissionPlace, 'origin' | 'sessionId'> {
  readonly role: CpaceRole
  readonly code: string
  readonly kid: string
  readonly exchangeId: Uint8Array
}

/** One try of one code: bound to the place, the session, the newcomer's number, and who asks and who lets in. */
export const startExchange = ({ role, code, kid, exchangeId, origin, sessionId }: Exchange): Promise<Cpace> =>
  startCpace({
    role,
    exchangeId,
    password: lengthPrefixed(utf8('session-admit'), utf8(code)),
    context: lengthPrefixed(utf8(origin), utf8(sessionId)),
    associated: associatedOf(kid, role),
  })

/** What goes along in the open; both sides know it already, so it need not be sent. */
export const associatedOf = (kid: string, role: CpaceRole) => lengthPrefixed(utf8(kid), utf8(role))
