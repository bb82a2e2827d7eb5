import type { SessionLifetime } from '@sallyport/contract/auth'
import { countChanged } from '../../../platform/db/count-rows.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { authSessionEnd, classifyRefresh, hasEnded } from './auth-session.rules.ts'
import { recordSignIn } from './sign-in-history.store.ts'

export interface AuthSessionRecord {
  readonly id: string
  readonly userId: string
  readonly sessionLifetime: SessionLifetime
  readonly aal: string
  /** The method and time of each authentication, newest first. */
  readonly amr: readonly { method: string; timestamp: number }[]
  readonly userAgent: string | null
  readonly createdAt: number
  readonly notAfter: number
  readonly factorId: string | null
  readonly recoveredAt: number | null
  readonly authenticatedAt: number | null
}

export type AalChange = Pick<AuthSessionRecord, 'id' | 'aal' | 'amr' | 'factorId'>

interface RefreshInput {
  readonly tokenHash: string
  /** The hash of the successor, used if the token is the current one. */
  readonly successorHash: string
  readonly successorSeed: string
  readonly now: number
}

/** `seeds` derive the current token from the presented one. */
export type RefreshOutcome =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'reused'; readonly authSession: AuthSessionRecord }
  | { readonly kind: 'going-on'; readonly authSession: AuthSessionRecord; readonly seeds: readonly string[] }

/** SQL for auth sessions and their refresh tokens. */
export function createAuthSessionsStore(db: Database) {
  return {
    async start(authSession: AuthSessionRecord, tokenHash: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const { id, userId, userAgent, createdAt } = authSession
        await transaction.insertInto('sign_ins').values(toRow(authSession)).execute()
        await recordSignIn(transaction, { id, user_id: userId, signed_in_at: createdAt, user_agent: userAgent })
        await transaction
          .insertInto('refresh_tokens')
          .values(tokenRow(tokenHash, id, createdAt))
          .execute()
        await transaction.updateTable('users').set({ last_sign_in_at: createdAt }).where('id', '=', userId).execute()
      })
    },

    /** Refreshes a session by one of its refresh tokens, or ends it when the token has been reused. */
    async refresh(refresh: RefreshInput): Promise<RefreshOutcome> {
      return db.transaction().execute(async (transaction) => {
        const authSession = await lockAuthSession(transaction, refresh.tokenHash)
        if (!authSession) return { kind: 'unknown' }
        if (hasEnded(authSession.notAfter, refresh.now)) return { kind: 'ended' }
        const [presented, successor] = await findTokens(transaction, refresh.tokenHash)
        const revokedAt = presented?.revoked_at ?? null
        const outcome = classifyRefresh({ revokedAt, isParentOfCurrent: successor?.revoked_at === null }, refresh.now)
        if (outcome === 'rotate') return rotate(transaction, authSession, refresh)
        if (outcome === 'repeat')
          return { kind: 'going-on', authSession, seeds: await seedsToCurrent(transaction, presented) }
        await transaction.deleteFrom('sign_ins').where('id', '=', authSession.id).execute()
        return { kind: 'reused', authSession }
      })
    },

    /** Returns the user, assurance level and end of a session; null when there is none. */
    async find(id: string) {
      const row = await db
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
      if (!row) return null
      return {
        userId: row.user_id,
        email: row.email ?? '',
        notAfter: row.not_after,
        bannedUntil: row.banned_until,
        recoveredAt: row.recovered_at,
        mfaPending: row.aal === 'aal1' && Boolean(row.has_factor),
      }
    },

    /** Returns those of the given sessions that have not ended and whose users are neither deleted nor banned. */
    async filterValid(ids: readonly string[], now: number): Promise<string[]> {
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
    /** Returns when the user last authenticated in a session; null if never or if the session has ended. */
    async authenticatedAt(id: string): Promise<number | null> {
      const row = await db.selectFrom('sign_ins').select('proved_at').where('id', '=', id).executeTakeFirst()
      return row?.proved_at ?? null
    },
    async markAuthenticated(id: string, now: number): Promise<void> {
      await db.updateTable('sign_ins').set({ proved_at: now }).where('id', '=', id).execute()
    },
    async findRecord(id: string): Promise<AuthSessionRecord | null> {
      const row = await db.selectFrom('sign_ins').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toRecord(row) : null
    },
    /** Raises the assurance level of a session and replaces its refresh tokens by this one. Null when it has ended. */
    async raiseAal(
      { id, aal, amr, factorId }: AalChange,
      tokenHash: string,
      now: number,
    ): Promise<AuthSessionRecord | null> {
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
        return toRecord(row)
      })
    },
    /** Ends the user's sessions at AAL1; returns their ids. */
    async endAal1(userId: string): Promise<string[]> {
      const ended = await db
        .deleteFrom('sign_ins')
        .where('user_id', '=', userId)
        .where('aal', '=', 'aal1')
        .returning('id')
        .execute()
      return ended.map((row) => row.id)
    },
    /** Lowers the sessions that used a removed factor to AAL1. */
    async lowerAal(userId: string, factorId: string): Promise<void> {
      await db
        .updateTable('sign_ins')
        .set({ aal: 'aal1', factor_id: null })
        .where('user_id', '=', userId)
        .where('factor_id', '=', factorId)
        .execute()
    },
    /** Lists the user's sessions that have not ended, most recently used first. */
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
    /** Ends one of the user's sessions. */
    async end(userId: string, id: string): Promise<void> {
      await db.deleteFrom('sign_ins').where('user_id', '=', userId).where('id', '=', id).execute()
    },
    async endAll(userId: string, connection: Database | DatabaseTransaction = db): Promise<void> {
      await connection.deleteFrom('sign_ins').where('user_id', '=', userId).execute()
    },
    /** Ends all of the user's sessions except this one; returns their ids. */
    async endOthers(userId: string, id: string): Promise<string[]> {
      const ended = await db
        .deleteFrom('sign_ins')
        .where('user_id', '=', userId)
        .where('id', '!=', id)
        .returning('id')
        .execute()
      return ended.map((row) => row.id)
    },
    /** Removes up to `limit` sessions that ended before this time; returns how many. */
    async removeEnded(before: number, limit: number): Promise<number> {
      const ended = db.selectFrom('sign_ins').select('id').where('not_after', '<=', before).limit(limit)
      return countChanged(db.deleteFrom('sign_ins').where('id', 'in', ended))
    },
  }
}

export type AuthSessionsStore = ReturnType<typeof createAuthSessionsStore>

/** Locks the row by an update that changes nothing: other refreshes of the session wait on both databases. */
async function lockAuthSession(transaction: DatabaseTransaction, tokenHash: string): Promise<AuthSessionRecord | null> {
  const owner = transaction.selectFrom('refresh_tokens').select('sign_in_id').where('token_hash', '=', tokenHash)
  const row = await transaction
    .updateTable('sign_ins')
    .set((column) => ({ refreshed_at: column.ref('refreshed_at') }))
    .where('id', 'in', owner)
    .returningAll()
    .executeTakeFirst()
  return row ? toRecord(row) : null
}

async function rotate(
  transaction: DatabaseTransaction,
  authSession: AuthSessionRecord,
  { tokenHash, successorHash, successorSeed, now }: RefreshInput,
): Promise<RefreshOutcome> {
  await transaction
    .updateTable('refresh_tokens')
    .set({ revoked_at: now, successor_seed: successorSeed })
    .where('token_hash', '=', tokenHash)
    .execute()
  await transaction
    .insertInto('refresh_tokens')
    .values({ ...tokenRow(successorHash, authSession.id, now), parent_hash: tokenHash })
    .execute()
  const notAfter = authSessionEnd(authSession, now)
  await transaction
    .updateTable('sign_ins')
    .set({ refreshed_at: now, not_after: notAfter })
    .where('id', '=', authSession.id)
    .execute()
  return { kind: 'going-on', authSession: { ...authSession, notAfter }, seeds: [successorSeed] }
}

type RefreshToken = Tables['refresh_tokens']

/** Returns a token and its successor, if any. */
async function findTokens(transaction: DatabaseTransaction, hash: string): Promise<(RefreshToken | undefined)[]> {
  const tokens = transaction.selectFrom('refresh_tokens').selectAll()
  return [
    await tokens.where('token_hash', '=', hash).executeTakeFirst(),
    await tokens.where('parent_hash', '=', hash).executeTakeFirst(),
  ]
}

/** Follows the successors. The chain is short, because only tokens that were current recently get here. */
async function seedsToCurrent(transaction: DatabaseTransaction, from: RefreshToken | undefined): Promise<string[]> {
  const seeds: string[] = []
  let token = from
  while (token?.successor_seed) {
    seeds.push(token.successor_seed)
    token = (await findTokens(transaction, token.token_hash))[1]
  }
  return seeds
}

const tokenRow = (hash: string, authSessionId: string, now: number): RefreshToken => ({
  token_hash: hash,
  parent_hash: null,
  successor_seed: null,
  sign_in_id: authSessionId,
  created_at: now,
  revoked_at: null,
})

const toRow = (authSession: AuthSessionRecord): Tables['sign_ins'] => ({
  id: authSession.id,
  user_id: authSession.userId,
  policy: authSession.sessionLifetime,
  aal: authSession.aal,
  amr: JSON.stringify(authSession.amr),
  user_agent: authSession.userAgent,
  created_at: authSession.createdAt,
  refreshed_at: authSession.createdAt,
  not_after: authSession.notAfter,
  factor_id: authSession.factorId,
  recovered_at: authSession.recoveredAt,
  proved_at: authSession.authenticatedAt,
})

const toRecord = (row: Tables['sign_ins']): AuthSessionRecord => ({
  id: row.id,
  userId: row.user_id,
  sessionLifetime: row.policy === 'remember' ? 'remember' : 'short',
  aal: row.aal,
  amr: JSON.parse(row.amr),
  userAgent: row.user_agent,
  createdAt: row.created_at,
  notAfter: row.not_after,
  factorId: row.factor_id,
  recoveredAt: row.recovered_at,
  authenticatedAt: row.proved_at,
})
