import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { unsupported } from './errors.ts'
import { sha256 } from './hash.ts'
import { deriveBytes, importRoot } from './hkdf.ts'
import { labels } from './labels.ts'
import { passwordBytes, stretch } from './password.ts'
import { requireSecret } from './secret.ts'

/** How a password is stretched: 1 is PBKDF2, 2 is Argon2id. The costs are fixed here; no server can lower them. */
export type DerivationProfile = 1 | 2

interface LoginDerivation {
  readonly password: string
  /** The 16 bytes that the server names for this address. */
  readonly salt: Uint8Array
  readonly profile: DerivationProfile
}

export interface LoginSecrets {
  /** What travels in every password field instead of the password. */
  readonly credential: string
  /** Never sent; opens the account key together with the master key. */
  readonly wrapSecret: Bytes
}

const loginSaltBytes = 16
const credentialPattern = /^Zk[0-9]+\.[A-Za-z0-9_-]{43}$/

export async function deriveLoginSecrets({ password, salt, profile }: LoginDerivation): Promise<LoginSecrets> {
  const secret = passwordBytes(password)
  const spread = await sha256(concatBytes(utf8(labels.loginSalt), requireSecret(salt, loginSaltBytes)))
  const from = await importRoot(await stretchBy(profile, secret, spread))
  const derive = (label: string) => deriveBytes({ from, salt: new Uint8Array(0), info: utf8(label) })
  const [credential, wrapSecret] = await Promise.all([derive(labels.loginCredential), derive(labels.loginWrap)])
  return { credential: `Zk${profile}.${toBase64url(credential)}`, wrapSecret }
}

/** Whether a password field holds a derived credential, and so certainly no password. */
export const isDerivedCredential = (text: string): boolean => credentialPattern.test(text)

async function stretchBy(profile: DerivationProfile, secret: Bytes, salt: Bytes): Promise<Uint8Array> {
  if (profile === 1) return stretch(secret, salt, 600_000)
  if (profile !== 2) throw unsupported('The way to derive the login secret is unknown')
  // Loaded only where somebody types a password.
  const { argon2id } = await import('hash-wasm')
  return argon2id({
    password: secret,
    salt,
    memorySize: 65_536,
    iterations: 3,
    parallelism: 1,
    hashLength: 32,
    outputType: 'binary',
  })
}
