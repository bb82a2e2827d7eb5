import { messageLimits } from '@sallyport/contract/limits'
import type { Database, Tables } from '../../db/schema.ts'

export type OneTimeTokenRecord = Tables['one_time_tokens']

/** What a token proves once it comes back. */
export type TokenKind =
  | 'confirmation'
  | 'invitation'
  | 'recovery'
  | 'sign-in'
  | 'email-change-current'
  | 'email-change-new'
  | 'phone-change'
  | 'reauthentication'

interface ByRecipient {
  readonly kinds: readonly TokenKind[]
  readonly relatesTo: string
  readonly now: number
}

interface ByCode extends ByRecipient {
  readonly codeHash: string
}

/** SQL for what travels in mails and text messages. A token that was taken is gone. */
export function createOneTimeTokensStore(db: Database) {
  const live = (now: number) => db.selectFrom('one_time_tokens').selectAll().where('expires_at', '>', now)
  const newestOf = ({ kinds, relatesTo, now }: ByRecipient) =>
    live(now)
      .where('relates_to', '=', relatesTo)
      .where('kind', 'in', [...kinds])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)

  return {
    async add(token: OneTimeTokenRecord): Promise<void> {
      await db.insertInto('one_time_tokens').values(token).execute()
    },
    /** The token of this link while it is good, without using it up. */
    async findByLink(linkHash: string, now: number): Promise<OneTimeTokenRecord | null> {
      return (await live(now).where('link_hash', '=', linkHash).executeTakeFirst()) ?? null
    },
    /** The newest token that was sent to this address, without counting anything. */
    async findNewest(recipient: ByRecipient): Promise<OneTimeTokenRecord | null> {
      return (await newestOf(recipient).executeTakeFirst()) ?? null
    },
    /**
     * The newest token sent to this address, if it has this code. A wrong code counts against the token; after five
     * there is none that would be right.
     */
    async tryCode({ codeHash, ...recipient }: ByCode): Promise<OneTimeTokenRecord | null> {
      const newest = newestOf(recipient).clearSelect().select('id')
      const tried = await db
        .updateTable('one_time_tokens')
        .set((column) => ({ attempts: column('attempts', '+', 1) }))
        .where('id', 'in', newest)
        .where('attempts', '<', messageLimits.attemptsPerCode)
        .returningAll()
        .executeTakeFirst()
      return tried?.code_hash === codeHash ? tried : null
    },
    /** Uses a token up. False when somebody else was quicker. */
    async take(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('one_time_tokens').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
    /** Tokens of a kind, those that are over among them, newest first. */
    async list(userId: string, kind: TokenKind): Promise<OneTimeTokenRecord[]> {
      return db
        .selectFrom('one_time_tokens')
        .selectAll()
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },
    async drop(userId: string, kinds: readonly TokenKind[]): Promise<void> {
      await db
        .deleteFrom('one_time_tokens')
        .where('user_id', '=', userId)
        .where('kind', 'in', [...kinds])
        .execute()
    },
    async dropEnded(userId: string, kind: TokenKind, now: number): Promise<void> {
      await db
        .deleteFrom('one_time_tokens')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('expires_at', '<=', now)
        .execute()
    },
    async dropAll(userId: string): Promise<void> {
      await db.deleteFrom('one_time_tokens').where('user_id', '=', userId).execute()
    },
    /** Removes some that are over; answers how many. */
    async removeEnded(before: number, most: number): Promise<number> {
      const ended = db.selectFrom('one_time_tokens').select('id').where('expires_at', '<=', before).limit(most)
      const { numDeletedRows } = await db.deleteFrom('one_time_tokens').where('id', 'in', ended).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

export type OneTimeTokensStore = ReturnType<typeof createOneTimeTokensStore>
