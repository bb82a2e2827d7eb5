import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { unsupported } from './errors.ts'
import { sha256 } from './hash.ts'
import { deriveBytes, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { passwordBytes, stretch } from './password.ts'
import { requireSecret } from './secret.ts'

/** The key derivation of a password: 1 is PBKDF2, 2 is Argon2id. The costs are fixed here; no server can lower them. */
export type DerivationProfile = 1 | 2

interface DeriveLoginSecretsInput {
  readonly password: string
  /** The 16 bytes that the server returns for this email address. */
  readonly salt: Uint8Array
  readonly profile: DerivationProfile
}

export interface LoginSecrets {
  /** Sent in every password field instead of the password. */
  readonly credential: string
  /** Never sent; unwraps the account key together with the master key. */
  readonly wrapSecret: Bytes
}

const loginSaltBytes = 16
const credentialPattern = /^Zk[0-9]+\.[A-Za-z0-9_-]{43}$/

export async function deriveLoginSecrets({ password, salt, profile }: DeriveLoginSecretsInput): Promise<LoginSecrets> {
  const secret = passwordBytes(password)
  const saltHash = await sha256(concatBytes(utf8(labels.loginSalt), requireSecret(salt, loginSaltBytes)))
  const from = await importRootKey(await stretchWithProfile(profile, secret, saltHash))
  const derive = (label: string) => deriveBytes({ from, salt: new Uint8Array(0), info: utf8(label) })
  const [credential, wrapSecret] = await Promise.all([derive(labels.loginCredential), derive(labels.loginWrap)])
  return { credential: `Zk${profile}.${toBase64url(credential)}`, wrapSecret }
}

/** Whether a password field contains a derived credential, and therefore no password. */
export const isDerivedCredential = (text: string): boolean => credentialPattern.test(text)

async function stretchWithProfile(profile: DerivationProfile, secret: Bytes, salt: Bytes): Promise<Uint8Array> {
  if (profile === 1) return stretch(secret, salt, 600_000)
  if (profile !== 2) throw unsupported('The key derivation profile is unknown')
  // Imported lazily: needed only where a password is entered.
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
