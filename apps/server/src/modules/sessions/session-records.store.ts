import type { KeyMode } from '@sallyport/contract/session-shapes'
import type { Selectable } from 'kysely'
import type { DatabaseTransaction, Tables } from '../../platform/db/schema.ts'

export interface SessionRecord {
  readonly id: string
  readonly creatorId: string
  readonly pinHash: string
  readonly keyMode: KeyMode
  readonly linkCheck: string | null
  readonly expirationMinutes: number
  readonly isLocked: boolean
  readonly asksApproval: boolean
  /** A user who created a session has seen an error that this PIN is taken, so joining with it requires approval. */
  readonly isPinExposed: boolean
  readonly createdAt: number
  readonly endsAt: number
}

export interface ParticipantRecord {
  readonly id: string
  readonly sessionId: string
  readonly userId: string | null
  readonly sealedName: string | null
  readonly isCreator: boolean
  /** Whether its token was used since it joined. */
  readonly isTokenUsed: boolean
  readonly joinedAt: number
  readonly seenAt: number
}

export const sessionOf = (row: Selectable<Tables['sessions']>): SessionRecord => ({
  id: row.id,
  creatorId: row.creator_id,
  pinHash: row.pin_hash,
  keyMode: row.key_mode as KeyMode,
  linkCheck: row.link_check,
  expirationMinutes: row.expiration_minutes,
  isLocked: row.locked === 1,
  asksApproval: row.approval === 1,
  isPinExposed: row.pin_exposed === 1,
  createdAt: row.created_at,
  endsAt: row.ends_at,
})

export const participantOf = (row: Selectable<Tables['session_participants']>): ParticipantRecord => ({
  id: row.id,
  sessionId: row.session_id,
  userId: row.user_id,
  sealedName: row.sealed_name,
  isCreator: row.is_creator === 1,
  isTokenUsed: row.token_used === 1,
  joinedAt: row.joined_at,
  seenAt: row.seen_at,
})

/** Locks the row of a session by writing it unchanged, which works on both databases. */
export const lockSession = (transaction: DatabaseTransaction, id: string) =>
  transaction
    .updateTable('sessions')
    .set((row) => ({ message_count: row.ref('message_count') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
