import type { Factor } from '@sallyport/contract/auth'
import { messageLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'

type FactorType = Factor['factor_type']

/** How a provider behaves; the defaults are the product's. */
export interface ProviderSettings {
  /** Takes nothing but derived login secrets, and asks for the present one before it is changed. Off is for foreign clients. */
  readonly strict: boolean
  /** Nobody signs in with an address before its holder has opened a link. */
  readonly confirmAddresses: boolean
  /** Nobody signs in with a number before its holder has typed a code. */
  readonly confirmNumbers: boolean
  readonly signUp: boolean
  /** From one address of the internet. */
  readonly registrationsPerHour: number
  readonly anonymous: boolean
  readonly factorTypes: readonly FactorType[]
  /** Service keys count whoever issued them, as long as our keys have signed them. */
  readonly foreignServiceKeys: boolean
  /** Answers that must not tell whether an address is known take at least so long. */
  readonly evenAnswerMs: number
  /** Messages to one address or number are at least this far apart. */
  readonly betweenMessagesMs: number
}

/** Nobody comes in without a name; whether addresses are confirmed depends on whether mail goes out. */
export const productSettings: ProviderSettings = {
  strict: true,
  confirmAddresses: false,
  confirmNumbers: false,
  signUp: true,
  registrationsPerHour: rateLimits.registrationsPerAddress.points,
  anonymous: false,
  factorTypes: ['totp', 'phone'],
  foreignServiceKeys: false,
  evenAnswerMs: messageLimits.evenAnswerMs,
  betweenMessagesMs: messageLimits.betweenMessagesMs,
}
