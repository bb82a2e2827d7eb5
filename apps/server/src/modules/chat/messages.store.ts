import type { DeleteQueryBuilder, DeleteResult } from 'kysely'
import { limitSkipLocked } from '../../platform/db/dialect.ts'
import type { Database, Tables } from '../../platform/db/schema.ts'
import { lockStorageUse, releaseStorage } from '../files/uploads/storage-use.store.ts'
import {
  type AccountMessageRow,
  type AddMessageResult,
  addMessage,
  type MessageLimits,
  type NewMessage,
  type Page,
  type PageRequest,
  readPage,
  selectMessages,
} from './sealed/stored-messages.store.ts'

interface NewAccountMessage extends NewMessage {
  readonly ownerId: string
  readonly lifetimeMs: number
}

/** SQL for the messages of an account. A message expires at the millisecond of `expires_at`. */
export function createMessagesStore(db: Database) {
  return {
    page: (ownerId: string, request: PageRequest, now: number): Promise<Page<AccountMessageRow>> =>
      readPage(selectMessages(db, 'messages', ownerId).where('expires_at', '>', now), request),

    /** Inserts are serialized per owner, so that a client that polls for newer messages misses none. */
    add(message: NewAccountMessage, limits: MessageLimits): Promise<AddMessageResult<AccountMessageRow>> {
      const { ownerId, lifetimeMs, now } = message
      return db.transaction().execute(async (transaction) => {
        await lockStorageUse(transaction, ownerId)
        const messages = selectMessages(transaction, 'messages', ownerId)
        const { live, newest } = await messages
          .select((row) => [
            row.fn.countAll<number>().filterWhere('expires_at', '>', now).as('live'),
            row.fn.max('created_at').as('newest'),
          ])
          .executeTakeFirstOrThrow()
        return addMessage(transaction, message, limits, {
          payerId: ownerId,
          messageCount: live,
          lastMessageAt: newest ?? 0,
          repeatable: messages,
          insert: (row) =>
            transaction
              .insertInto('messages')
              .values({ ...row, owner_id: ownerId, expires_at: row.created_at + lifetimeMs })
              .returningAll()
              .executeTakeFirstOrThrow(),
        })
      })
    },

    /** True when the message existed. */
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

    removeExpired: (now: number, limit: number) =>
      removeMessages(db, (messages) =>
        messages.where('id', 'in', (query) => {
          const expired = query.selectFrom('messages').select('id').where('expires_at', '<=', now).orderBy('expires_at')
          return limitSkipLocked(db, expired, limit)
        }),
      ),
  }
}

export type MessagesStore = ReturnType<typeof createMessagesStore>

type MessageDeletion = DeleteQueryBuilder<Tables, 'messages', DeleteResult>

/** Deletes the selected messages and releases their storage. */
async function removeMessages(db: Database, choose: (messages: MessageDeletion) => MessageDeletion) {
  return db.transaction().execute(async (transaction) => {
    const removed = await choose(transaction.deleteFrom('messages'))
      .returning(['id', 'owner_id as ownerId', 'bytes'])
      .execute()
    await releaseStorage(transaction, removed)
    return removed
  })
}
