import { listLimits } from '@sallyport/contract/server-limits'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { quickTransaction } from '../db/quick-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { bytesInAnswer, type Page, type PageRequest, readPage } from '../sealed/message-page.ts'
import { takeStorage } from '../uploads/storage-use.store.ts'

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
  | { readonly outcome: 'no-storage' }

interface MessageLimits {
  readonly messages: number
  /** Of the session's creator, whose storage the messages take. */
  readonly storageBytes: number
}

/** SQL for the messages of a session; they end with it. */
export function createSessionMessagesStore(db: Database) {
  return {
    async page(sessionId: string, request: PageRequest): Promise<Page<SessionMessageRecord>> {
      const messages = db.selectFrom('session_messages').where('session_id', '=', sessionId)
      return readPage(
        {
          sizes: (cursors, order, most) =>
            between(messages, cursors)
              .select(['created_at as createdAt', 'bytes'])
              .orderBy('created_at', order)
              .limit(most)
              .execute(),
          async read(from, to) {
            const rows = await messages
              .selectAll()
              .where('created_at', '>=', from)
              .where('created_at', '<=', to)
              .orderBy('created_at')
              .limit(listLimits.pageMessages)
              .execute()
            return rows.map(messageOf)
          },
        },
        request,
      )
    },

    /**
     * One after the other in each session, so that nobody who asks for what is newer misses any. Does not wait for the
     * disk: what is said in a room does not outlive it anyway, and a power cut ends every room's sockets too.
     */
    add: (message: NewMessage, limits: MessageLimits): Promise<Adding> =>
      quickTransaction(db, (transaction) => addMessage(transaction, message, limits)),
  }
}

export type SessionMessagesStore = ReturnType<typeof createSessionMessagesStore>

type MessageQuery = SelectQueryBuilder<Tables, 'session_messages', object>

function between(messages: MessageQuery, { after, before }: PageRequest): MessageQuery {
  const newer = after === undefined ? messages : messages.where('created_at', '>', after)
  return before === undefined ? newer : newer.where('created_at', '<', before)
}

async function addMessage(
  transaction: DatabaseTransaction,
  message: NewMessage,
  limits: MessageLimits,
): Promise<Adding> {
  const { sessionId, now } = message
  // Writing the row keeps others who send to this session waiting, on both databases.
  const session = await transaction
    .updateTable('sessions')
    .set((row) => ({ message_count: row.ref('message_count') }))
    .where('id', '=', sessionId)
    .returning(['creator_id', 'message_count', 'message_bytes', 'last_message_at'])
    .executeTakeFirst()
  if (!session) return { outcome: 'closed' }
  const known = await findSame(transaction, message)
  if (known) {
    const isSame = known.sealed_text === message.sealedText
    return isSame ? { outcome: 'known', message: messageOf(known) } : { outcome: 'key-taken' }
  }
  if (session.message_count >= limits.messages) return { outcome: 'too-many' }
  const bytes = bytesInAnswer(message.wrappedKey, message.sealedText, message.sealedName)
  const reservation = { userId: session.creator_id, bytes, limitBytes: limits.storageBytes }
  if (!(await takeStorage(transaction, reservation))) return { outcome: 'no-storage' }

  const createdAt = Math.max(now, session.last_message_at + 1)
  await transaction
    .updateTable('sessions')
    .set({
      message_count: session.message_count + 1,
      message_bytes: session.message_bytes + bytes,
      last_message_at: createdAt,
    })
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
    bytes,
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
