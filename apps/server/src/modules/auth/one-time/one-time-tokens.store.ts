import { messageLimits } from '@sallyport/contract/limits'
import { sql } from 'kysely'
import { countChanged, hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, Tables } from '../../../platform/db/schema.ts'

export type OneTimeTokenRecord = Tables['one_time_tokens']

/** The purpose of a token. */
export type TokenKind =
  | 'confirmation'
  | 'invitation'
  | 'recovery'
  | 'sign-in'
  | 'email-change-current'
  | 'email-change-new'
  | 'phone-change'
  | 'reauthentication'

const usedPrefix = 'used-'

/** True for a token that has been consumed. */
export const isUsed = ({ kind }: OneTimeTokenRecord): boolean => kind.startsWith(usedPrefix)

interface RecipientFilter {
  readonly kinds: readonly TokenKind[]
  readonly relatesTo: string
  readonly now: number
}

interface CodeFilter extends RecipientFilter {
  readonly codeHash: string
}

/** SQL for the tokens in emails and text messages. A used token stays until it is removed, so that its link can say so. */
export function createOneTimeTokensStore(db: Database) {
  const validTokens = (now: number) => db.selectFrom('one_time_tokens').selectAll().where('expires_at', '>', now)
  const newestOf = ({ kinds, relatesTo, now }: RecipientFilter) =>
    validTokens(now)
      .where('relates_to', '=', relatesTo)
      .where('kind', 'in', [...kinds])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
  /** Gives tokens a kind that no request accepts, and removes everything that the status of their link does not need. */
  const markUsed = () =>
    db
      .updateTable('one_time_tokens')
      .set({
        kind: sql<string>`${usedPrefix} || kind`,
        relates_to: '',
        code_hash: '',
        credential_hash: null,
        challenge: null,
        challenge_method: null,
      })
      .where('kind', 'not like', `${usedPrefix}%`)

  return {
    async add(token: OneTimeTokenRecord): Promise<void> {
      await db.insertInto('one_time_tokens').values(token).execute()
    },
    /** Returns the token of a link while it is valid, without consuming it. */
    async findByLink(linkHash: string, now: number): Promise<OneTimeTokenRecord | null> {
      return (await validTokens(now).where('link_hash', '=', linkHash).executeTakeFirst()) ?? null
    },
    /** Returns the newest token sent to this recipient, without counting an attempt. */
    async findNewest(recipient: RecipientFilter): Promise<OneTimeTokenRecord | null> {
      return (await newestOf(recipient).executeTakeFirst()) ?? null
    },
    /**
     * Returns the newest token sent to this recipient if the code matches. A wrong code counts against the token; after
     * five of them no code is accepted.
     */
    async tryCode({ codeHash, ...recipient }: CodeFilter): Promise<OneTimeTokenRecord | null> {
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
    /** Returns the token of a link, expired ones included, without consuming it. */
    async findAnyByLink(linkHash: string): Promise<OneTimeTokenRecord | null> {
      const tokens = db.selectFrom('one_time_tokens').selectAll().where('link_hash', '=', linkHash)
      return (await tokens.executeTakeFirst()) ?? null
    },
    /** Consumes a token. Returns false when a concurrent request has consumed it. */
    async consume(id: string): Promise<boolean> {
      return hasChanged(markUsed().where('id', '=', id))
    },
    /** Consumes all tokens of these kinds. */
    async consumeByKind(userId: string, kinds: readonly TokenKind[]): Promise<void> {
      await markUsed()
        .where('user_id', '=', userId)
        .where('kind', 'in', [...kinds])
        .execute()
    },
    /** Lists tokens of a kind, newest first, including expired ones. */
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
    async removeByKind(userId: string, kinds: readonly TokenKind[]): Promise<void> {
      await db
        .deleteFrom('one_time_tokens')
        .where('user_id', '=', userId)
        .where('kind', 'in', [...kinds])
        .execute()
    },
    async removeExpiredOfKind(userId: string, kind: TokenKind, now: number): Promise<void> {
      await db
        .deleteFrom('one_time_tokens')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('expires_at', '<=', now)
        .execute()
    },
    /** Removes all tokens of a user except those that have been used. */
    async removeUnused(userId: string): Promise<void> {
      const tokens = db.deleteFrom('one_time_tokens').where('user_id', '=', userId)
      await tokens.where('kind', 'not like', `${usedPrefix}%`).execute()
    },
    /** Removes up to `limit` expired tokens; returns how many. */
    async removeExpired(before: number, limit: number): Promise<number> {
      const expired = db.selectFrom('one_time_tokens').select('id').where('expires_at', '<=', before).limit(limit)
      return countChanged(db.deleteFrom('one_time_tokens').where('id', 'in', expired))
    },
  }
}

export type OneTimeTokensStore = ReturnType<typeof createOneTimeTokensStore>
