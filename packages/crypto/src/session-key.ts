import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, unshared, utf8 } from './bytes.ts'
import { byteOfWrapType } from './envelope.ts'
import { malformed } from './errors.ts'
import { deriveBytes, importSecret } from './hkdf.ts'
import { labels } from './labels.ts'
import { byteOfMessageKind } from './message-parts.ts'
import { stretch } from './password.ts'
import { randomBytes } from './random.ts'
import { requireSecret } from './secret.ts'
import { keyIdOfUse } from './wrap.ts'

/** Who can read a session: `pin` anyone who has the PIN, `pin2` whom the server admits too, `secret` only link holders. */
export type SessionKeyMode = 'pin' | 'pin2' | 'secret'

interface InSession {
  readonly pin: string
  readonly sessionId: string
}

/** What a client holds of a session's key, without the share that the server gives. */
export type SessionKeyHolder =
  | { readonly mode: 'pin'; readonly pin: string }
  | (InSession & { readonly mode: 'pin2' })
  | (InSession & { readonly mode: 'secret'; readonly linkSecret: Uint8Array })

type WithShare<Holder> = Holder extends InSession ? Holder & { readonly share: Uint8Array } : Holder

export type SessionKeySources = WithShare<SessionKeyHolder>

const linkSecretBytes = 16
const pinIterations = 100_000
const pinPattern = /^[0-9]{6}$/

/** For the link or the QR code of a private session. */
export const createLinkSecret = (): Bytes => randomBytes(linkSecretBytes)

/**
 * The root that a session seals under: its files, and its messages and names of version 2. Each mode has a label of its
 * own; `pin` is the derivation of the specification.
 */
export const deriveSessionKey = (sources: SessionKeySources): Promise<Bytes> => deriveWith(sources, labelOf(sources))

/** The root of what was sealed before modes had labels of their own: only for opening, never for sealing. */
export const deriveEarlierSessionKey = (sources: SessionKeySources): Promise<Bytes> =>
  deriveWith(sources, labels.session)

/** The roots of one key epoch: `root` seals and opens, `earlierRoot` opens what was sealed before modes had labels. */
export interface SessionRoots {
  readonly root: Bytes
  readonly earlierRoot: Bytes
}

/** The roots of each key epoch, in the order of the shares. Without a share, in the mode `pin`, there is one epoch. */
export async function deriveSessionRoots(
  holder: SessionKeyHolder,
  shares: readonly Uint8Array[],
): Promise<readonly SessionRoots[]> {
  const pinKey = await derivePinKey(holder.pin)
  if (holder.mode === 'pin') return [{ root: pinKey, earlierRoot: pinKey }]
  const derive = async (share: Uint8Array): Promise<SessionRoots> => ({
    root: await deriveFrom(pinKey, { ...holder, share }, labelOf(holder)),
    earlierRoot: await deriveFrom(pinKey, { ...holder, share }, labels.session),
  })
  return Promise.all(shares.map(derive))
}

const sessionUses = [byteOfWrapType.session, byteOfMessageKind.session, byteOfMessageKind['session-name']] as const

/** The key ids, in base64url, that files, messages and names sealed under this root carry. */
export const sessionKeyIds = (root: Bytes): Promise<readonly string[]> =>
  Promise.all(sessionUses.map(async (use) => toBase64url(await keyIdOfUse(root, use))))

const labelOf = ({ mode }: SessionKeyHolder): string => (mode === 'secret' ? labels.sessionSecret : labels.sessionPin2)

const deriveWith = async (sources: SessionKeySources, label: string): Promise<Bytes> =>
  deriveFrom(await derivePinKey(sources.pin), sources, label)

async function deriveFrom(pinKey: Bytes, sources: SessionKeySources, label: string): Promise<Bytes> {
  if (sources.mode === 'pin') return pinKey
  if (!sources.sessionId) throw malformed('The id of the session is missing')
  const secrets = concatBytes(pinKey, requireSecret(sources.share), linkSecretOf(sources))
  const from = await importSecret(secrets)
  return deriveBytes({ from, salt: utf8(sources.sessionId), info: utf8(label) })
}

/** What a PIN alone gives. */
export async function derivePinKey(pin: string): Promise<Bytes> {
  if (!pinPattern.test(pin)) throw malformed('A PIN has six digits')
  const digits = utf8(pin)
  return stretch(digits, concatBytes(utf8(labels.sessionPin), digits), pinIterations)
}

const linkSecretOf = (sources: Exclude<SessionKeySources, { mode: 'pin' }>): Uint8Array =>
  sources.mode === 'secret' ? requireSecret(sources.linkSecret, linkSecretBytes) : new Uint8Array(0)

/** Tells whether a link secret is the whole one without showing it: goes to the server, which compares. */
export async function linkCheckOf(linkSecret: Uint8Array): Promise<Bytes> {
  const secret = unshared(requireSecret(linkSecret, linkSecretBytes))
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(labels.linkCheck)))
}
