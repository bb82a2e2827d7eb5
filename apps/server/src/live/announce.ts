import type { LiveEvent } from '@sallyport/contract/live'
import type { Bus } from '../bus/bus.ts'

/** Under which the bus carries what concerns an account. */
export const accountTopic = (userId: string): string => `live:${userId}`
export const sessionTopic = (sessionId: string): string => `session:${sessionId}`

export const participantTopic = (participantId: string): string => `participant:${participantId}`

export const revokedTopic = 'sign-in.revoked'

export interface Revocation {
  readonly userId: string
  /** Only this sign-in, or all of the user's. */
  readonly signInId?: string
}

/** Tells every open page of an account that something changed. */
export type Announce = (userId: string, event: LiveEvent) => void

/** Tells it over the bus, to the pages at every node. */
export const announceOver =
  (bus: Bus): Announce =>
  (userId, event) =>
    bus.publish(accountTopic(userId), event)

/** Tells everybody in a session. */
export type AnnounceToSession = (sessionId: string, event: LiveEvent) => void

/** The same for the participants of a session. */
export const announceToSessionOver =
  (bus: Bus): AnnounceToSession =>
  (sessionId, event) =>
    bus.publish(sessionTopic(sessionId), event)

interface Gone {
  readonly id: string
  readonly ownerId: string
  readonly sessionId: string | null
}

/** Tells whoever has a file in a list that it is gone. */
export function announceRemoval(
  { announce, announceToSession }: { announce: Announce; announceToSession: AnnounceToSession },
  { id, ownerId, sessionId }: Gone,
): void {
  if (sessionId !== null) announceToSession(sessionId, { type: 'session.file.deleted', id })
  else announce(ownerId, { type: 'file.deleted', id })
}
