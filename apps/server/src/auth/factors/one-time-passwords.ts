import { secondFactorLimits } from '@sallyport/contract/limits'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const secretBytes = 20
/** Clocks may differ by one step. */
const window = 1

interface Label {
  readonly issuer: string
  readonly account: string
}

/** What an authenticator app is given: a secret to type, an address to open and a picture to scan. */
export interface AppSecret {
  readonly bytes: Buffer
  readonly secret: string
  readonly uri: string
  readonly picture: string
}

/** A secret for an authenticator app, as the app takes it: typed, as an address, and as a picture of that (SVG). */
export function newAppSecret({ issuer, account }: Label): AppSecret {
  const secret = new Secret({ size: secretBytes })
  const uri = codesOf(secret, { issuer, label: account }).toString()
  return { bytes: Buffer.from(secret.bytes), secret: secret.base32, uri, picture: renderSVG(uri) }
}

/** The step in time that a code belongs to, or null when it is not one of this secret's codes around now. */
export function stepOf(code: string, bytes: Buffer, now: number): number | null {
  const codes = codesOf(new Secret({ buffer: new Uint8Array(bytes).buffer }))
  const delta = /^\d{6}$/.test(code) ? codes.validate({ token: code, timestamp: now, window }) : null
  return delta === null ? null : codes.counter({ timestamp: now }) + delta
}

const codesOf = (secret: Secret, label: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({
    ...label,
    secret,
    algorithm: 'SHA1',
    digits: secondFactorLimits.codeDigits,
    period: secondFactorLimits.codeSeconds,
  })
