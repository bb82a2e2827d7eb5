import { day, second } from './units.ts'

export const organizationLimits = {
  nameCharacters: 80,
  seats: 1000,
  addedSeats: 500,
  /** Orders of as many seats within this time are one: two tabs, or a double click. */
  sameOrderMs: 10 * second,
  /** How long the link of an invitation works. */
  invitationMs: 7 * day,
  resendAfterMs: 60 * second,
} as const

/** How long the page of an accepted invitation stays before it leads on. */
export const joinedRedirectMs = 2 * second
/** How long the page after a business sign-up stays before it leads on. */
export const businessRedirectMs = 8 * second
/** How much of the id of a checkout that page shows. */
export const shownCheckoutCharacters = 20
