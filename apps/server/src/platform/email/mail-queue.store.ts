import { randomBytes } from 'node:crypto'
import { limitSkipLocked } from '../db/dialect.ts'
import type { Database, Tables } from '../db/schema.ts'

export type Channel = 'mail' | 'text'
type QueuedMessage = Tables['post_queue']

/** A message that this node can deliver until its lease ends. */
export interface ClaimedMessage {
  readonly id: string
  readonly claim: string
  readonly sealed: string
  /** Includes the current attempt. */
  readonly attempts: number
  /** When to give up. */
  readonly until: number
}

interface Lease {
  readonly now: number
  readonly until: number
}

/** SQL for the mail queue. Several nodes deliver concurrently; each claims messages that no other node has claimed. */
export function createMailQueueStore(db: Database) {
  return {
    async add(
      message: Pick<QueuedMessage, 'id' | 'sealed' | 'created_at' | 'give_up_at'> & { channel: Channel },
    ): Promise<void> {
      const initial = { attempts: 0, next_at: message.created_at, claim: null }
      await db
        .insertInto('post_queue')
        .values({ ...message, ...initial })
        .execute()
    },

    /** Claims the message that has been due longest. Returns null if none is due. */
    async claim(channel: Channel, { now, until }: Lease): Promise<ClaimedMessage | null> {
      const claim = randomBytes(16).toString('base64url')
      const row = await db
        .updateTable('post_queue')
        .set((column) => ({ claim, next_at: until, attempts: column('attempts', '+', 1) }))
        .where('id', '=', (query) => {
          const ofChannel = query.selectFrom('post_queue').select('id').where('channel', '=', channel)
          return limitSkipLocked(db, ofChannel.where('next_at', '<=', now).orderBy('next_at'), 1)
        })
        .returning(['id', 'sealed', 'attempts', 'give_up_at'])
        .executeTakeFirst()
      return row ? { claim, ...row, until: row.give_up_at } : null
    },

    /** Releases a message until then. Does nothing if another node holds the lease. */
    async postpone({ id, claim }: ClaimedMessage, until: number): Promise<void> {
      await db
        .updateTable('post_queue')
        .set({ next_at: until, claim: null })
        .where('id', '=', id)
        .where('claim', '=', claim)
        .execute()
    },

    async remove({ id, claim }: ClaimedMessage): Promise<void> {
      await db.deleteFrom('post_queue').where('id', '=', id).where('claim', '=', claim).execute()
    },
  }
}

export type MailQueueStore = ReturnType<typeof createMailQueueStore>
