import type { Selectable } from 'kysely'
import { takeSome } from '../db/dialect.ts'
import type { Database, DatabaseTransaction, Tables } from '../db/schema.ts'
import { lockStorageUse } from '../uploads/storage-use.store.ts'

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

interface RemovedMessage {
  readonly id: string
  readonly ownerId: string
}

/** SQL for the messages of an account. A message is there until the millisecond it expires, and not in it. */
export function createMessagesStore(db: Database) {
  return {
    /** Oldest first; only those made after this time. */
    async list(ownerId: string, { now, after }: { now: number; after: number }): Promise<MessageRecord[]> {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('created_at', '>', after)
        .where('expires_at', '>', now)
        .orderBy('created_at')
        .execute()
      return rows.map(recordOf)
    },

    /** One after the other for each owner, so that nobody who asks for what is newer misses any. */
    async add(message: NewMessage, mostLive: number): Promise<Adding> {
      return db.transaction().execute(async (transaction) => {
        await lockStorageUse(transaction, message.ownerId)
        return addMessage(transaction, message, mostLive)
      })
    },

    /** True when there was such a message. */
    async remove(ownerId: string, id: string, now: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('messages')
        .where('owner_id', '=', ownerId)
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async removeAll(ownerId: string): Promise<string[]> {
      const rows = await db.deleteFrom('messages').where('owner_id', '=', ownerId).returning('id').execute()
      return rows.map(({ id }) => id)
    },

    async removeExpired(now: number, most: number): Promise<RemovedMessage[]> {
      const rows = await db
        .deleteFrom('messages')
        .where('id', 'in', (query) => {
          const expired = query.selectFrom('messages').select('id').where('expires_at', '<=', now).orderBy('expires_at')
          return takeSome(db, expired, most)
        })
        .returning(['id', 'owner_id'])
        .execute()
      return rows.map(({ id, owner_id }) => ({ id, ownerId: owner_id }))
    },
  }
}

export type MessagesStore = ReturnType<typeof createMessagesStore>

async function addMessage(transaction: DatabaseTransaction, message: NewMessage, mostLive: number): Promise<Adding> {
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
  if (live >= mostLive) return { outcome: 'too-many' }
  const createdAt = Math.max(now, (newest ?? 0) + 1)
  const row = {
    id: message.id,
    owner_id: ownerId,
    wrapped_key: message.wrappedKey,
    sealed_text: message.sealedText,
    created_at: createdAt,
    expires_at: createdAt + message.lifetimeMs,
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
