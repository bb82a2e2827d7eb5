import { randomBytes } from 'node:crypto'
import { takeSome } from '../db/dialect.ts'
import type { Database, Tables } from '../db/schema.ts'

export type Channel = 'mail' | 'text'
type Queued = Tables['post_queue']

/** A parcel that is ours to deliver until the lease ends. */
export interface Claimed {
  readonly id: string
  readonly claim: string
  readonly sealed: string
  /** This one among them. */
  readonly attempts: number
  /** When to give up. */
  readonly until: number
}

interface Lease {
  readonly now: number
  readonly until: number
}

/** SQL for the post that waits. Several nodes may deliver at once; each takes what no other has taken. */
export function createPostQueueStore(db: Database) {
  return {
    async add(
      parcel: Pick<Queued, 'id' | 'sealed' | 'created_at' | 'give_up_at'> & { channel: Channel },
    ): Promise<void> {
      const waiting = { attempts: 0, next_at: parcel.created_at, claim: null }
      await db
        .insertInto('post_queue')
        .values({ ...parcel, ...waiting })
        .execute()
    },

    /** Takes the parcel that has waited longest, or null when none is due. */
    async claim(channel: Channel, { now, until }: Lease): Promise<Claimed | null> {
      const claim = randomBytes(16).toString('base64url')
      const row = await db
        .updateTable('post_queue')
        .set((column) => ({ claim, next_at: until, attempts: column('attempts', '+', 1) }))
        .where('id', '=', (query) => {
          const ofChannel = query.selectFrom('post_queue').select('id').where('channel', '=', channel)
          return takeSome(db, ofChannel.where('next_at', '<=', now).orderBy('next_at'), 1)
        })
        .returning(['id', 'sealed', 'attempts', 'give_up_at'])
        .executeTakeFirst()
      return row ? { claim, ...row, until: row.give_up_at } : null
    },

    /** Lets go of a parcel until then; nothing happens when the lease has passed to another node. */
    async postpone({ id, claim }: Claimed, until: number): Promise<void> {
      await db
        .updateTable('post_queue')
        .set({ next_at: until, claim: null })
        .where('id', '=', id)
        .where('claim', '=', claim)
        .execute()
    },

    async remove({ id, claim }: Claimed): Promise<void> {
      await db.deleteFrom('post_queue').where('id', '=', id).where('claim', '=', claim).execute()
    },
  }
}

export type PostQueueStore = ReturnType<typeof createPostQueueStore>
