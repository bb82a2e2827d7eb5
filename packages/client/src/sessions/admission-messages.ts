import { fromBase64url, toBase64url } from '@sallyport/crypto'
import { type Cpace, type CpaceRole, lengthPrefixed, startCpace } from '@sallyport/crypto/cpace'

/** A message between a newcomer and a member of a session. The server relays it and cannot interpret it. */
export interface AdmissionMessage {
  readonly kind: 'knock' | 'offer' | 'y' | 'y2' | 'ok' | 'fail' | 'grant' | 'cancel'
  /** Random id of this admission request, chosen by the newcomer. */
  readonly requestId: string
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
}

/** Relays messages to all participants of a session, in the same order for all. */
export interface AdmissionRelay {
  send(body: string): Promise<unknown>
  /** Returns the function that unsubscribes. */
  subscribe(listener: (from: string, body: string) => void): () => void
}

export interface AdmissionContext {
  readonly relay: AdmissionRelay
  /** Origin of the page: a code that is entered on another origin does not match. */
  readonly origin: string
  readonly sessionId: string
}

const messageKinds: ReadonlySet<string> = new Set<AdmissionMessage['kind']>([
  'knock',
  'offer',
  'y',
  'y2',
  'ok',
  'fail',
  'grant',
  'cancel',
])
const encodeUtf8 = (text: string) => new TextEncoder().encode(text)

export const formatAdmissionMessage = ({ kind, requestId, parts }: AdmissionMessage): string =>
  [kind, requestId, ...parts.map(toBase64url)].join('.')

/** Returns null for anything that is not an admission message. */
export function parseAdmissionMessage(body: string): AdmissionMessage | null {
  const [kind = '', requestId = '', ...texts] = body.split('.')
  if (!messageKinds.has(kind) || !/^[A-Za-z0-9_-]{22}$/.test(requestId)) return null
  try {
    return { kind: kind as AdmissionMessage['kind'], requestId, parts: texts.map((text) => fromBase64url(text)) }
  } catch {
    return null
  }
}

interface ExchangeInput extends Pick<AdmissionContext, 'origin' | 'sessionId'> {
  readonly role: CpaceRole
  readonly code: string
  readonly requestId: string
  readonly exchangeId: Uint8Array
}

/** Starts CPace for one code, bound to the origin, the session, the request id and the roles. */
export const startExchange = ({
  role,
  code,
  requestId,
  exchangeId,
  origin,
  sessionId,
}: ExchangeInput): Promise<Cpace> =>
  startCpace({
    role,
    exchangeId,
    password: lengthPrefixed(encodeUtf8('session-admit'), encodeUtf8(code)),
    context: lengthPrefixed(encodeUtf8(origin), encodeUtf8(sessionId)),
    aad: aadOf(requestId, role),
  })

/** The additional authenticated data. Both sides know it, so it is not sent. */
export const aadOf = (requestId: string, role: CpaceRole) => lengthPrefixed(encodeUtf8(requestId), encodeUtf8(role))
