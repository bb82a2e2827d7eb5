import type { Factor } from '@sallyport/contract/auth'
import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'

type FactorType = Factor['factor_type']

/** Settings of the embedded provider; `productSettings` are the defaults. */
export interface ProviderSettings {
  /** Accepts only derived login secrets and requires the current one for a change. Off only for third-party clients. */
  readonly strict: boolean
  /** Requires users to confirm their email address by a link before they can sign in. */
  readonly confirmEmails: boolean
  /** Requires users to confirm their phone number by a code before they can sign in. */
  readonly confirmPhones: boolean
  readonly signUp: boolean
  /** Domains that email addresses must have; none means any. */
  readonly emailDomains: readonly string[]
  /** Registrations per IP address block and hour. */
  readonly registrationsPerHour: number
  readonly anonymous: boolean
  readonly factorTypes: readonly FactorType[]
  /** Accepts service keys of any issuer, provided that our keys signed them. */
  readonly allowAnyServiceKeyIssuer: boolean
  /** Minimum duration of responses that must not reveal whether an email address is known. */
  readonly minResponseMs: number
  /** Minimum interval between messages to one email address or phone number. */
  readonly messageIntervalMs: number
}

/** The product's defaults. Anonymous users are off; `confirmEmails` is on where the server sends email. */
export const productSettings: ProviderSettings = {
  strict: true,
  confirmEmails: false,
  confirmPhones: false,
  signUp: true,
  emailDomains: [],
  registrationsPerHour: rateLimits.registrationsPerAddress.points,
  anonymous: false,
  factorTypes: ['totp', 'phone'],
  allowAnyServiceKeyIssuer: false,
  minResponseMs: messageLimits.minResponseMs,
  messageIntervalMs: messageLimits.betweenMessagesMs,
}
