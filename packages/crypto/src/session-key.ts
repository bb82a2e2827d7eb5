import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, unshared, utf8 } from './bytes.ts'
import { byteOfWrapType } from './envelope.ts'
import { malformed } from './errors.ts'
import { deriveBytes, importHkdfSecret } from './hkdf.ts'
import { labels } from './labels.ts'
import { byteOfMessageKind } from './message-parts.ts'
import { stretch } from './password.ts'
import { randomBytes } from './random.ts'
import { requireSecret } from './secret.ts'
import { keyIdOfUse } from './wrap.ts'

/**
 * Who can read a session: `pin` anyone with the PIN, `pin2` also requires admission by the server, `secret` only
 * holders of the link.
 */
export type SessionKeyMode = 'pin' | 'pin2' | 'secret'

interface SessionScope {
  readonly pin: string
  readonly sessionId: string
}

/** A client's own input to the session key, without the share of the server. */
export type SessionKeyMaterial =
  | { readonly mode: 'pin'; readonly pin: string }
  | (SessionScope & { readonly mode: 'pin2' })
  | (SessionScope & { readonly mode: 'secret'; readonly linkSecret: Uint8Array })

type WithShare<Holder> = Holder extends SessionScope ? Holder & { readonly share: Uint8Array } : Holder

export type SessionKeySources = WithShare<SessionKeyMaterial>

const linkSecretBytes = 16
const pinIterations = 100_000
const pinPattern = /^[0-9]{6}$/

/** Creates the secret of the link or QR code of a private session. */
export const createLinkSecret = (): Bytes => randomBytes(linkSecretBytes)

/**
 * Derives the root key for new contents of a session: its files, and its messages and names of version 2. Each mode has
 * its own label; `pin` is the derivation of the specification.
 */
export const deriveSessionKey = (sources: SessionKeySources): Promise<Bytes> => deriveWith(sources, labelOf(sources))

/** Derives the root key of version 1, before modes had their own labels: only for opening, never for sealing. */
export const deriveVersion1SessionKey = (sources: SessionKeySources): Promise<Bytes> =>
  deriveWith(sources, labels.session)

/** The root keys of one key epoch: `root` seals and opens, `version1Root` opens contents of version 1. */
export interface SessionRootKeys {
  readonly root: Bytes
  readonly version1Root: Bytes
}

/** Derives the root keys of each key epoch, in the order of the shares. The mode `pin` has no share and one epoch. */
export async function deriveSessionRootKeys(
  material: SessionKeyMaterial,
  shares: readonly Uint8Array[],
): Promise<readonly SessionRootKeys[]> {
  const pinKey = await derivePinKey(material.pin)
  if (material.mode === 'pin') return [{ root: pinKey, version1Root: pinKey }]
  const derive = async (share: Uint8Array): Promise<SessionRootKeys> => ({
    root: await deriveFrom(pinKey, { ...material, share }, labelOf(material)),
    version1Root: await deriveFrom(pinKey, { ...material, share }, labels.session),
  })
  return Promise.all(shares.map(derive))
}

const sessionKeyUses = [byteOfWrapType.session, byteOfMessageKind.session, byteOfMessageKind['session-name']] as const

/** The key ids, in base64url, of files, messages and names that were sealed with this root key. */
export const sessionKeyIds = (root: Bytes): Promise<readonly string[]> =>
  Promise.all(sessionKeyUses.map(async (use) => toBase64url(await keyIdOfUse(root, use))))

const labelOf = ({ mode }: SessionKeyMaterial): string =>
  mode === 'secret' ? labels.sessionSecret : labels.sessionPin2

const deriveWith = async (sources: SessionKeySources, label: string): Promise<Bytes> =>
  deriveFrom(await derivePinKey(sources.pin), sources, label)

async function deriveFrom(pinKey: Bytes, sources: SessionKeySources, label: string): Promise<Bytes> {
  if (sources.mode === 'pin') return pinKey
  if (!sources.sessionId) throw malformed('The id of the session is missing')
  const secrets = concatBytes(pinKey, requireSecret(sources.share), linkSecretOf(sources))
  const from = await importHkdfSecret(secrets)
  return deriveBytes({ from, salt: utf8(sources.sessionId), info: utf8(label) })
}

/** Derives the key of a PIN alone. */
export async function derivePinKey(pin: string): Promise<Bytes> {
  if (!pinPattern.test(pin)) throw malformed('A PIN has six digits')
  const digits = utf8(pin)
  return stretch(digits, concatBytes(utf8(labels.sessionPin), digits), pinIterations)
}

const linkSecretOf = (sources: Exclude<SessionKeySources, { mode: 'pin' }>): Uint8Array =>
  sources.mode === 'secret' ? requireSecret(sources.linkSecret, linkSecretBytes) : new Uint8Array(0)

/** Lets the server check that a link secret is complete without revealing it. */
export async function linkCheckOf(linkSecret: Uint8Array): Promise<Bytes> {
  const secret = unshared(requireSecret(linkSecret, linkSecretBytes))
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(labels.linkCheck)))
}
