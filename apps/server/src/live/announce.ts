import type { LiveEvent } from '@sallyport/contract/live'
import type { Bus } from '../bus/bus.ts'

export const accountTopic = (userId: string): string => `live:${userId}`
export const revokedTopic = 'sign-in.revoked'

export interface Revocation {
  readonly userId: string
  /** Only this sign-in, or all of the user's. */
  readonly signInId?: string
}

/** Tells every open page of an account that something changed. */
export type Announce = (userId: string, event: LiveEvent) => void

export const announceOver =
  (bus: Bus): Announce =>
  (userId, event) =>
    bus.publish(accountTopic(userId), event)
