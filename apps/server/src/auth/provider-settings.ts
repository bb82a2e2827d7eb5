import { messageLimits } from '@sallyport/contract/limits'

/** How a provider behaves; the defaults are the product's. */
export interface ProviderSettings {
  /** Takes nothing but derived login secrets, and asks for the present one before it is changed. Off is for foreign clients. */
  readonly strict: boolean
  /** Nobody signs in with an address before its holder has opened a link. */
  readonly confirmAddresses: boolean
  /** Nobody signs in with a number before its holder has typed a code. */
  readonly confirmNumbers: boolean
  readonly signUp: boolean
  readonly anonymous: boolean
  /** Messages to one address or number are at least this far apart. */
  readonly betweenMessagesMs: number
}

/** Nobody comes in without a name; whether addresses are confirmed depends on whether mail goes out. */
export const productSettings: ProviderSettings = {
  strict: true,
  confirmAddresses: false,
  confirmNumbers: false,
  signUp: true,
  anonymous: false,
  betweenMessagesMs: messageLimits.betweenMessagesMs,
}
