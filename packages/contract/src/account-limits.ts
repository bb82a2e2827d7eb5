import { day, gigabyte, hour, minute, second } from './units.ts'

/**
 * The lifetime of an auth session: three hours, or seven days from the last use on a remembered device; at most thirty
 * days.
 */
export const authSessionLimits = {
  shortMs: 3 * hour,
  rememberedMs: 7 * day,
  absoluteMs: 30 * day,
  checkEveryMs: 60 * second,
  /** How long after a password or second factor was verified the account's security settings may be changed. */
  proofMs: 5 * minute,
  /** How long before the end of an auth session the page shows a warning. */
  warnBeforeMs: 5 * minute,
  /** A signed-out event within this time after the page has loaded is ignored. */
  graceMs: 2 * second,
} as const

export const passwordLimits = { minCharacters: 6 } as const

export const mfaLimits = {
  challengeMs: 5 * minute,
  unverifiedFactorMs: 5 * minute,
  factorsPerAccount: 10,
  codeDigits: 6,
  codeSeconds: 30,
  backupCodes: 10,
  /** A code may be copied together with a label. */
  typedBackupCodeCharacters: 64,
} as const

/** How long the links and codes of emails and text messages are valid, and how often they are sent. */
export const messageLimits = {
  recoveryLinkMs: 1 * hour,
  confirmationLinkMs: 24 * hour,
  textCodeMs: 5 * minute,
  attemptsPerCode: 5,
  betweenMessagesMs: 60 * second,
  /**
   * The minimum duration of a request for a message, so that the timing does not reveal whether the address is known.
   */
  minResponseMs: 200,
  invitationMs: 30 * day,
  /**
   * How long an expired confirmation is stored, because it shows which password an unconfirmed address was registered
   * with.
   */
  retentionMs: 30 * day,
} as const

export const licenceLimits = {
  trial: { storageBytes: 1 * gigabyte, days: 7 },
  /** Prices in US cents per month; that of the business plan per seat. */
  paid: { storageBytes: 50 * gigabyte, personalCents: 1000, seatCents: 800 },
  /** The number of seats an organization starts with. */
  fewestSeats: 5,
  /** How long after its end a licence still admits users, so that they can upgrade. */
  graceDays: 30,
} as const

export const passingBannerMs = 5 * second
export const confirmedRedirectMs = 3 * second
export const passwordSetRedirectMs = 2 * second
export const settingsSavedMs = 3 * second
/** How long the page after a payment stays before it leads on. */
export const upgradedRedirectMs = 5 * second
/** How long the confirmation of a cancelled subscription is shown. */
export const subscriptionCancelledMs = 3 * second
export const loginSuccessMs = 1 * second
