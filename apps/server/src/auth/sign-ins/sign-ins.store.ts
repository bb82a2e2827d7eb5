import type { SignInPolicy } from '@sallyport/contract/auth'
import type { Database, DatabaseTransaction, Tables } from '../../db/schema.ts'
import { hasEnded, judgeRefresh, signInEnd } from './sign-in.rules.ts'

export interface SignInRecord {
  readonly id: string
  readonly userId: string
  readonly policy: SignInPolicy
  readonly aal: string
  /** How and when each factor was shown, newest first. */
  readonly amr: readonly { method: string; timestamp: number }[]
  readonly userAgent: string | null
  readonly createdAt: number
  readonly notAfter: number
  readonly factorId: string | null
  readonly recoveredAt: number | null
  readonly provedAt: number | null
}

export type Raise = Pick<SignInRecord, 'id' | 'aal' | 'amr' | 'factorId'>

interface Refresh {
  readonly tokenHash: string
  /** What follows the token when it is the current one. */
  readonly successorHash: string
  readonly successorSeed: string
  readonly now: number
}

/** `seeds` lead from the token that was shown to the current one. */
export type RefreshOutcome =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'reused'; readonly signIn: SignInRecord }
  | { readonly kind: 'going-on'; readonly signIn: SignInRecord; readonly seeds: readonly string[] }

/** SQL for sign-ins and their refresh tokens. */
export function createSignInsStore(db: Database) {
  return {
    async start(signIn: SignInRecord, tokenHash: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { createdAt } = signIn
        await transaction.insertInto('sign_ins').values(rowOf(signIn)).execute()
        await transaction
          .insertInto('refresh_tokens')
          .values(tokenRow(tokenHash, signIn.id, createdAt))
          .execute()
        await transaction
          .updateTable('users')
          .set({ last_sign_in_at: createdAt })
          .where('id', '=', signIn.userId)
          .execute()
      })
    },

    /** Goes on with a sign-in by one of its refresh tokens, or ends it when that token shows that two parties hold it. */
    async refresh(refresh: Refresh): Promise<RefreshOutcome> {
      return db.transaction().execute(async (transaction) => {
        const signIn = await lockSignIn(transaction, refresh.tokenHash)
        if (!signIn) return { kind: 'unknown' }
        if (hasEnded(signIn.notAfter, refresh.now)) return { kind: 'ended' }
        const [shown, next] = await findTokens(transaction, refresh.tokenHash)
        const revokedAt = shown?.revoked_at ?? null
        const worth = judgeRefresh({ revokedAt, isParentOfCurrent: next?.revoked_at === null }, refresh.now)
        if (worth === 'rotate') return rotate(transaction, signIn, refresh)
        if (worth === 'repeat') return { kind: 'going-on', signIn, seeds: await seedsToCurrent(transaction, shown) }
        await transaction.deleteFrom('sign_ins').where('id', '=', signIn.id).execute()
        return { kind: 'reused', signIn }
      })
    },

    /** Whose sign-in this is, how far it reaches and how long; null when there is none. */
    async find(id: string) {
      const found = await db
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .select(['sign_ins.user_id', 'sign_ins.not_after', 'sign_ins.aal', 'sign_ins.recovered_at'])
        .select(['users.email', 'users.banned_until'])
        .select(({ exists, selectFrom }) =>
          exists(
            selectFrom('factors')
              .select('factors.id')
              .whereRef('factors.user_id', '=', 'sign_ins.user_id')
              .where('factors.verified_at', 'is not', null),
          ).as('has_factor'),
        )
        .where('sign_ins.id', '=', id)
        .where('users.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!found) return null
      return {
        userId: found.user_id,
        email: found.email ?? '',
        notAfter: found.not_after,
        bannedUntil: found.banned_until,
        recoveredAt: found.recovered_at,
        secondFactorPending: found.aal === 'aal1' && Boolean(found.has_factor),
      }
    },

    /** Those of these sign-ins that are not over, and whose users are neither gone nor kept out. */
    async liveAmong(ids: readonly string[], now: number): Promise<string[]> {
      const live = await db
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .select('sign_ins.id')
        .where('sign_ins.id', 'in', ids)
        .where('sign_ins.not_after', '>', now)
        .where('users.deleted_at', 'is', null)
        .where(({ eb, or }) => or([eb('users.banned_until', 'is', null), eb('users.banned_until', '<=', now)]))
        .execute()
      return live.map(({ id }) => id)
    },
    /** When the user of a sign-in last showed who they are in it; null where they have not, or it has ended. */
    async provedAt(id: string): Promise<number | null> {
      const row = await db.selectFrom('sign_ins').select('proved_at').where('id', '=', id).executeTakeFirst()
      return row?.proved_at ?? null
    },
    async prove(id: string, now: number): Promise<void> {
      await db.updateTable('sign_ins').set({ proved_at: now }).where('id', '=', id).execute()
    },
    async record(id: string): Promise<SignInRecord | null> {
      const row = await db.selectFrom('sign_ins').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? recordOf(row) : null
    },
    /** A sign-in reaches as far as this says from now on, by this refresh token alone. Null when it has ended. */
    async raise({ id, aal, amr, factorId }: Raise, tokenHash: string, now: number): Promise<SignInRecord | null> {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('sign_ins')
          .set({ aal, amr: JSON.stringify(amr), factor_id: factorId, refreshed_at: now, proved_at: now })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (!row) return null
        await transaction.deleteFrom('refresh_tokens').where('sign_in_id', '=', id).execute()
        await transaction
          .insertInto('refresh_tokens')
          .values(tokenRow(tokenHash, id, now))
          .execute()
        return recordOf(row)
      })
    },
    /** Ends the user's sign-ins that showed one factor only; answers which. */
    async endLesser(userId: string): Promise<string[]> {
      const ended = await db
        .deleteFrom('sign_ins')
        .where('user_id', '=', userId)
        .where('aal', '=', 'aal1')
        .returning('id')
        .execute()
      return ended.map((row) => row.id)
    },
    /** Sign-ins by a factor that is gone reach no further than one without. */
    async lower(userId: string, factorId: string): Promise<void> {
      await db
        .updateTable('sign_ins')
        .set({ aal: 'aal1', factor_id: null })
        .where('user_id', '=', userId)
        .where('factor_id', '=', factorId)
        .execute()
    },
    /** The user's sign-ins that are not over, latest use first. */
    async list(userId: string, now: number) {
      return db
        .selectFrom('sign_ins')
        .select(['id', 'policy', 'user_agent', 'created_at', 'refreshed_at', 'not_after'])
        .where('user_id', '=', userId)
        .where('not_after', '>', now)
        .orderBy('refreshed_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },
    /** Ends one of the user's sign-ins. */
    async end(userId: string, id: string): Promise<void> {
      await db.deleteFrom('sign_ins').where('user_id', '=', userId).where('id', '=', id).execute()
    },
    async endAll(userId: string): Promise<void> {
      await db.deleteFrom('sign_ins').where('user_id', '=', userId).execute()
    },
    /** Ends all of the user's sign-ins but this one; answers which. */
    async endOthers(userId: string, id: string): Promise<string[]> {
      const ended = await db
        .deleteFrom('sign_ins')
        .where('user_id', '=', userId)
        .where('id', '!=', id)
        .returning('id')
        .execute()
      return ended.map((row) => row.id)
    },
    /** Removes some of the sign-ins that were over before a time; answers how many. */
    async removeEnded(before: number, most: number): Promise<number> {
      const ended = db.selectFrom('sign_ins').select('id').where('not_after', '<=', before).limit(most)
      const { numDeletedRows } = await db.deleteFrom('sign_ins').where('id', 'in', ended).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

export type SignInsStore = ReturnType<typeof createSignInsStore>

/** Writing to the row, even what it holds already, keeps other refreshes of the same sign-in waiting on both databases. */
async function lockSignIn(transaction: DatabaseTransaction, tokenHash: string): Promise<SignInRecord | null> {
  const owner = transaction.selectFrom('refresh_tokens').select('sign_in_id').where('token_hash', '=', tokenHash)
  const row = await transaction
    .updateTable('sign_ins')
    .set((column) => ({ refreshed_at: column.ref('refreshed_at') }))
    .where('id', 'in', owner)
    .returningAll()
    .executeTakeFirst()
  return row ? recordOf(row) : null
}

async function rotate(
  transaction: DatabaseTransaction,
  signIn: SignInRecord,
  { tokenHash, successorHash, successorSeed, now }: Refresh,
): Promise<RefreshOutcome> {
  await transaction
    .updateTable('refresh_tokens')
    .set({ revoked_at: now, successor_seed: successorSeed })
    .where('token_hash', '=', tokenHash)
    .execute()
  await transaction
    .insertInto('refresh_tokens')
    .values({ ...tokenRow(successorHash, signIn.id, now), parent_hash: tokenHash })
    .execute()
  const notAfter = signInEnd(signIn, now)
  await transaction
    .updateTable('sign_ins')
    .set({ refreshed_at: now, not_after: notAfter })
    .where('id', '=', signIn.id)
    .execute()
  return { kind: 'going-on', signIn: { ...signIn, notAfter }, seeds: [successorSeed] }
}

type RefreshToken = Tables['refresh_tokens']

/** A token and, where it has one, its successor. */
async function findTokens(transaction: DatabaseTransaction, hash: string): Promise<(RefreshToken | undefined)[]> {
  const tokens = transaction.selectFrom('refresh_tokens').selectAll()
  return [
    await tokens.where('token_hash', '=', hash).executeTakeFirst(),
    await tokens.where('parent_hash', '=', hash).executeTakeFirst(),
  ]
}

/** Only taken by tokens that were current seconds ago, or one step before: the way is short. */
async function seedsToCurrent(transaction: DatabaseTransaction, from: RefreshToken | undefined): Promise<string[]> {
  const seeds: string[] = []
  let token = from
  while (token?.successor_seed) {
    seeds.push(token.successor_seed)
    token = (await findTokens(transaction, token.token_hash))[1]
  }
  return seeds
}

const tokenRow = (hash: string, signInId: string, now: number): RefreshToken => ({
  token_hash: hash,
  parent_hash: null,
  successor_seed: null,
  sign_in_id: signInId,
  created_at: now,
  revoked_at: null,
})

const rowOf = (signIn: SignInRecord): Tables['sign_ins'] => ({
  id: signIn.id,
  user_id: signIn.userId,
  policy: signIn.policy,
  aal: signIn.aal,
  amr: JSON.stringify(signIn.amr),
  user_agent: signIn.userAgent,
  created_at: signIn.createdAt,
  refreshed_at: signIn.createdAt,
  not_after: signIn.notAfter,
  factor_id: signIn.factorId,
  recovered_at: signIn.recoveredAt,
  proved_at: signIn.provedAt,
})

const recordOf = (row: Tables['sign_ins']): SignInRecord => ({
  id: row.id,
  userId: row.user_id,
  policy: row.policy === 'remember' ? 'remember' : 'short',
  aal: row.aal,
  amr: JSON.parse(row.amr),
  userAgent: row.user_agent,
  createdAt: row.created_at,
  notAfter: row.not_after,
  factorId: row.factor_id,
  recoveredAt: row.recovered_at,
  provedAt: row.proved_at,
})
