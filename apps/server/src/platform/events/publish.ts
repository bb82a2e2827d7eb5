import type { LiveEvent } from '@sallyport/contract/live'
import type { Bus } from './bus.ts'

/** The bus topic of the events of an account. */
export const accountTopic = (userId: string): string => `live:${userId}`
export const sessionTopic = (sessionId: string): string => `session:${sessionId}`

export const participantTopic = (participantId: string): string => `participant:${participantId}`

export const revokedTopic = 'sign-in.revoked'

export interface Revocation {
  readonly userId: string
  /** Only this session of the user, or all of them. */
  readonly signInId?: string
}

/** Publishes an event to all open pages of an account. */
export type PublishToAccount = (userId: string, event: LiveEvent) => void

/** Publishes over the bus, to the pages at every node. */
export const createPublishToAccount =
  (bus: Bus): PublishToAccount =>
  (userId, event) =>
    bus.publish(accountTopic(userId), event)

/** Publishes an event to all participants of a session. */
export type PublishToSession = (sessionId: string, event: LiveEvent) => void

/** Publishes over the bus, to the participants at every node. */
export const createPublishToSession =
  (bus: Bus): PublishToSession =>
  (sessionId, event) =>
    bus.publish(sessionTopic(sessionId), event)
