import { type Bytes, concatBytes, unshared, utf8 } from './bytes.ts'
import { malformed } from './errors.ts'
import { deriveBytes, importSecret } from './hkdf.ts'
import { labels } from './labels.ts'
import { stretch } from './password.ts'
import { randomBytes } from './random.ts'
import { requireSecret } from './secret.ts'

/** Who can read a session: `pin` anyone who has the PIN, `pin2` whom the server admits too, `secret` only link holders. */
export type SessionKeyMode = 'pin' | 'pin2' | 'secret'

export type SessionKeySources =
  | { readonly mode: 'pin'; readonly pin: string }
  | { readonly mode: 'pin2'; readonly pin: string; readonly sessionId: string; readonly share: Uint8Array }
  | {
      readonly mode: 'secret'
      readonly pin: string
      readonly sessionId: string
      readonly share: Uint8Array
      readonly linkSecret: Uint8Array
    }

const linkSecretBytes = 16
const pinIterations = 100_000
const pinPattern = /^[0-9]{6}$/

/** For the link or the QR code of a private session. */
export const createLinkSecret = (): Bytes => randomBytes(linkSecretBytes)

/**
 * The root that a session seals under: its files, and its messages and names of version 2. Each mode has a label of its
 * own; `pin` is the derivation of the specification.
 */
export const deriveSessionKey = (sources: SessionKeySources): Promise<Bytes> =>
  deriveWith(sources, sources.mode === 'secret' ? labels.sessionSecret : labels.sessionPin2)

/** The root of what was sealed before modes had labels of their own: only for opening, never for sealing. */
export const deriveEarlierSessionKey = (sources: SessionKeySources): Promise<Bytes> =>
  deriveWith(sources, labels.session)

async function deriveWith(sources: SessionKeySources, label: string): Promise<Bytes> {
  const pinKey = await derivePinKey(sources.pin)
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
