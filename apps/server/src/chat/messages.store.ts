import { listLimits } from '@sallyport/contract/server-limits'
import type { DeleteQueryBuilder, DeleteResult, Selectable, SelectQueryBuilder } from 'kysely'
import { takeSome } from '../db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { bytesInAnswer, type Page, type PageRequest, readPage } from '../sealed/message-page.ts'
import { freeStorage, lockStorageUse, takeStorage } from '../uploads/storage-use.store.ts'

export interface MessageRecord {
  readonly id: string
  readonly wrappedKey: string
  readonly sealedText: string
  readonly createdAt: number
  readonly expiresAt: number
}

interface NewMessage extends Pick<MessageRecord, 'id' | 'wrappedKey' | 'sealedText'> {
  readonly ownerId: string
  readonly now: number
  readonly lifetimeMs: number
}

type Adding =
  | { readonly outcome: 'added'; readonly message: MessageRecord }
  /** The very same message came before. */
  | { readonly outcome: 'known'; readonly message: MessageRecord }
  | { readonly outcome: 'key-taken' }
  | { readonly outcome: 'too-many' }
  | { readonly outcome: 'no-storage' }

interface MessageLimits {
  readonly live: number
  readonly storageBytes: number
}

interface RemovedMessage {
  readonly id: string
  readonly ownerId: string
}

/** SQL for the messages of an account. A message is there until the millisecond it expires, and not in it. */
export function createMessagesStore(db: Database) {
  return {
    async page(ownerId: string, request: PageRequest, now: number): Promise<Page<MessageRecord>> {
      const live = db.selectFrom('messages').where('owner_id', '=', ownerId).where('expires_at', '>', now)
      return readPage(
        {
          sizes: (cursors, order, most) =>
            between(live, cursors)
              .select(['created_at as createdAt', 'bytes'])
              .orderBy('created_at', order)
              .limit(most)
              .execute(),
          async read(from, to) {
            const rows = await live
              .selectAll()
              .where('created_at', '>=', from)
              .where('created_at', '<=', to)
              .orderBy('created_at')
              .limit(listLimits.pageMessages)
              .execute()
            return rows.map(recordOf)
          },
        },
        request,
      )
    },

    /** One after the other for each owner, so that nobody who asks for what is newer misses any. */
    async add(message: NewMessage, limits: MessageLimits): Promise<Adding> {
      return db.transaction().execute(async (transaction) => {
        await lockStorageUse(transaction, message.ownerId)
        return addMessage(transaction, message, limits)
      })
    },

    /** True when there was such a message. */
    async remove(ownerId: string, id: string, now: number): Promise<boolean> {
      const removed = await removeMessages(db, (messages) =>
        messages.where('owner_id', '=', ownerId).where('id', '=', id).where('expires_at', '>', now),
      )
      return removed.length > 0
    },

    async removeAll(ownerId: string): Promise<string[]> {
      const removed = await removeMessages(db, (messages) => messages.where('owner_id', '=', ownerId))
      return removed.map(({ id }) => id)
    },

    async removeExpired(now: number, most: number): Promise<RemovedMessage[]> {
      return removeMessages(db, (messages) =>
        messages.where('id', 'in', (query) => {
          const expired = query.selectFrom('messages').select('id').where('expires_at', '<=', now).orderBy('expires_at')
          return takeSome(db, expired, most)
        }),
      )
    },
  }
}

export type MessagesStore = ReturnType<typeof createMessagesStore>

type MessageQuery = SelectQueryBuilder<Tables, 'messages', object>

function between(messages: MessageQuery, { after, before }: PageRequest): MessageQuery {
  const newer = after === undefined ? messages : messages.where('created_at', '>', after)
  return before === undefined ? newer : newer.where('created_at', '<', before)
}

type MessageDeletion = DeleteQueryBuilder<Tables, 'messages', DeleteResult>

/** Removes the chosen messages and gives their storage back. */
async function removeMessages(
  db: Database,
  choose: (messages: MessageDeletion) => MessageDeletion,
): Promise<RemovedMessage[]> {
  return db.transaction().execute(async (transaction) => {
    const removed = await choose(transaction.deleteFrom('messages'))
      .returning(['id', 'owner_id as ownerId', 'bytes'])
      .execute()
    await freeStorage(transaction, removed)
    return removed.map(({ id, ownerId }) => ({ id, ownerId }))
  })
}

async function addMessage(
  transaction: DatabaseTransaction,
  message: NewMessage,
  limits: MessageLimits,
): Promise<Adding> {
  const { ownerId, now } = message
  const known = await transaction
    .selectFrom('messages')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('wrapped_key', '=', message.wrappedKey)
    .executeTakeFirst()
  if (known) {
    const isSame = known.sealed_text === message.sealedText && known.expires_at > now
    return isSame ? { outcome: 'known', message: recordOf(known) } : { outcome: 'key-taken' }
  }
  const { live, newest } = await transaction
    .selectFrom('messages')
    .select((row) => [
      row.fn.countAll<number>().filterWhere('expires_at', '>', now).as('live'),
      row.fn.max('created_at').as('newest'),
    ])
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  if (live >= limits.live) return { outcome: 'too-many' }
  const bytes = bytesInAnswer(message.wrappedKey, message.sealedText)
  const isFree = await takeStorage(transaction, { userId: ownerId, bytes, limitBytes: limits.storageBytes })
  if (!isFree) return { outcome: 'no-storage' }
  const createdAt = Math.max(now, (newest ?? 0) + 1)
  const row = {
    id: message.id,
    owner_id: ownerId,
    wrapped_key: message.wrappedKey,
    sealed_text: message.sealedText,
    created_at: createdAt,
    expires_at: createdAt + message.lifetimeMs,
    bytes,
  }
  await transaction.insertInto('messages').values(row).execute()
  return { outcome: 'added', message: recordOf(row) }
}

function recordOf(row: Selectable<Tables['messages']>): MessageRecord {
  return {
    id: row.id,
    wrappedKey: row.wrapped_key,
    sealedText: row.sealed_text,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
