import type { Selectable } from 'kysely'
import { quickTransaction } from '../db/quick-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'

export interface SessionMessageRecord {
  readonly id: string
  readonly participantId: string | null
  readonly sealedName: string | null
  readonly wrappedKey: string
  readonly sealedText: string
  readonly createdAt: number
}

interface NewMessage extends Omit<SessionMessageRecord, 'createdAt'> {
  readonly sessionId: string
  readonly now: number
}

type Adding =
  | { readonly outcome: 'added'; readonly message: SessionMessageRecord }
  | { readonly outcome: 'known'; readonly message: SessionMessageRecord }
  | { readonly outcome: 'key-taken' }
  | { readonly outcome: 'too-many' }
  | { readonly outcome: 'closed' }

/** SQL for the messages of a session; they end with it. */
export function createSessionMessagesStore(db: Database) {
  return {
    /** Oldest first; only those made after this time. */
    async list(sessionId: string, after: number): Promise<SessionMessageRecord[]> {
      const rows = await db
        .selectFrom('session_messages')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where('created_at', '>', after)
        .orderBy('created_at')
        .execute()
      return rows.map(messageOf)
    },

    /**
     * One after the other in each session, so that nobody who asks for what is newer misses any. Does not wait for the
     * disk: what is said in a room does not outlive it anyway, and a power cut ends every room's sockets too.
     */
    add: (message: NewMessage, most: number): Promise<Adding> =>
      quickTransaction(db, (transaction) => addMessage(transaction, message, most)),
  }
}

export type SessionMessagesStore = ReturnType<typeof createSessionMessagesStore>

async function addMessage(transaction: DatabaseTransaction, message: NewMessage, most: number): Promise<Adding> {
  const { sessionId, now } = message
  // Writing the row keeps others who send to this session waiting, on both databases.
  const session = await transaction
    .updateTable('sessions')
    .set((row) => ({ message_count: row.ref('message_count') }))
    .where('id', '=', sessionId)
    .returning(['message_count', 'last_message_at'])
    .executeTakeFirst()
  if (!session) return { outcome: 'closed' }
  const known = await findSame(transaction, message)
  if (known) {
    const isSame = known.sealed_text === message.sealedText
    return isSame ? { outcome: 'known', message: messageOf(known) } : { outcome: 'key-taken' }
  }
  if (session.message_count >= most) return { outcome: 'too-many' }

  const createdAt = Math.max(now, session.last_message_at + 1)
  await transaction
    .updateTable('sessions')
    .set({ message_count: session.message_count + 1, last_message_at: createdAt })
    .where('id', '=', sessionId)
    .execute()
  const row = {
    id: message.id,
    session_id: sessionId,
    participant_id: message.participantId,
    sealed_name: message.sealedName,
    wrapped_key: message.wrappedKey,
    sealed_text: message.sealedText,
    created_at: createdAt,
  }
  await transaction.insertInto('session_messages').values(row).execute()
  return { outcome: 'added', message: messageOf(row) }
}

/** Whoever sends a message again has not heard the answer, so it is one of the latest. */
async function findSame(transaction: DatabaseTransaction, { sessionId, wrappedKey, now }: NewMessage) {
  const latest = await transaction
    .selectFrom('session_messages')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('created_at', '>', now - repeatedWithinMs)
    .where('wrapped_key', '=', wrappedKey)
    .executeTakeFirst()
  return latest
}

const repeatedWithinMs = 10 * 60_000

const messageOf = (row: Selectable<Tables['session_messages']>): SessionMessageRecord => ({
  id: row.id,
  participantId: row.participant_id,
  sealedName: row.sealed_name,
  wrappedKey: row.wrapped_key,
  sealedText: row.sealed_text,
  createdAt: row.created_at,
})
