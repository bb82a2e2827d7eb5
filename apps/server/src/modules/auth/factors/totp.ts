import { mfaLimits } from '@sallyport/contract/limits'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const secretBytes = 20
/** Accepts the previous and the next time step, because clocks differ. */
const window = 1

interface TotpLabel {
  readonly issuer: string
  readonly account: string
}

/** The secret of an authenticator app: as text to type, as an `otpauth:` URI and as a QR code (SVG). */
export interface TotpSecret {
  readonly bytes: Buffer
  readonly secret: string
  readonly uri: string
  readonly qrCode: string
}

/** Creates a secret for an authenticator app. */
export function createTotpSecret({ issuer, account }: TotpLabel): TotpSecret {
  const secret = new Secret({ size: secretBytes })
  const uri = createTotp(secret, { issuer, label: account }).toString()
  return { bytes: Buffer.from(secret.bytes), secret: secret.base32, uri, qrCode: renderSVG(uri) }
}

/** Returns the time step of a code, or null when the code is not valid for this secret now. */
export function timeStepOf(code: string, bytes: Buffer, now: number): number | null {
  const totp = createTotp(new Secret({ buffer: new Uint8Array(bytes).buffer }))
  const delta = /^\d{6}$/.test(code) ? totp.validate({ token: code, timestamp: now, window }) : null
  return delta === null ? null : totp.counter({ timestamp: now }) + delta
}

const createTotp = (secret: Secret, label: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({
    ...label,
    secret,
    algorithm: 'SHA1',
    digits: mfaLimits.codeDigits,
    period: mfaLimits.codeSeconds,
  })
