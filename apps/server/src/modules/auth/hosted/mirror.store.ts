import type { AuthUser } from '@sallyport/contract/auth'
import { authSessionLimits } from '@sallyport/contract/limits'
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts'
import { recordSignIn } from '../sign-ins/sign-in-history.store.ts'
import { countActiveDay } from '../users/active-day.store.ts'
import { newUser } from '../users/new-user.ts'
import type { ProvisionAccount } from '../users/users.store.ts'

/** SQL that mirrors a hosted provider's users and auth sessions, because accounts, files and devices reference them. */
export function createMirrorStore(db: Database, provisionAccount: ProvisionAccount) {
  async function upsertUser(
    transaction: DatabaseTransaction,
    { id, email }: AuthUser,
    options: MirrorUserOptions,
  ): Promise<void> {
    const { now, offerId } = options
    const address = email === '' ? null : email
    // The provider is authoritative for who owns an email address.
    await transaction
      .updateTable('users')
      .set({ email: null })
      .where('email', '=', address)
      .where('id', '!=', id)
      .execute()
    const identifier = address === null ? null : { email: address }
    const user = { ...newUser({ id, identifier, confirmed: true, passwordHash: null, now }), is_anonymous: 0 }
    const added = await transaction
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) await provisionAccount(transaction, { userId: id, offerId, now })
    else await transaction.updateTable('users').set({ email: address }).where('id', '=', id).execute()
  }

  return {
    /** Creates the account of a new user. */
    async add(user: AuthUser, options: MirrorUserOptions): Promise<void> {
      await db.transaction().execute((transaction) => upsertUser(transaction, user, options))
    },
    /** Records an auth session. It is not active when this server has ended it. */
    async recordAuthSession(
      user: AuthUser,
      { authSessionId, authenticatedAt }: ObservedAuthSession,
      now: number,
    ): Promise<RecordedAuthSession> {
      return db.transaction().execute(async (transaction) => {
        await upsertUser(transaction, user, { now })
        const recorded = await transaction
          .insertInto('sign_ins')
          .values({
            id: authSessionId,
            user_id: user.id,
            policy: 'remember',
            aal: 'aal1',
            amr: '[]',
            user_agent: null,
            created_at: now,
            refreshed_at: now,
            not_after: now + authSessionLimits.absoluteMs,
            factor_id: null,
            recovered_at: null,
            proved_at: authenticatedAt,
          })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((row) => ({
              refreshed_at: now,
              proved_at: row
                .case()
                .when(row('sign_ins.proved_at', '>', authenticatedAt ?? 0))
                .then(row.ref('sign_ins.proved_at'))
                .else(authenticatedAt)
                .end(),
            })),
          )
          .returning(['user_id', 'not_after', 'created_at'])
          .executeTakeFirstOrThrow()
        const signIn = { id: authSessionId, user_id: user.id, signed_in_at: now, user_agent: null }
        const isNew = recorded.created_at === now && (await recordSignIn(transaction, signIn))
        if (isNew)
          await transaction.updateTable('users').set({ last_sign_in_at: now }).where('id', '=', user.id).execute()
        const deleted = transaction.selectFrom('users').select('id').where('deleting_since', 'is not', null)
        const isDeleting = (await deleted.where('id', '=', user.id).executeTakeFirst()) !== undefined
        const isActive = recorded.user_id === user.id && recorded.not_after > now && !isDeleting
        if (isActive) await countActiveDay(transaction, user.id, now)
        return { isActive, isNew }
      })
    },
    /** Ends one auth session, all of the user's, or all but one. The rows remain so that the sessions stay rejected. */
    async end(userId: string, { only, except }: EndAuthSessionsFilter, now: number): Promise<string[]> {
      const ended = db
        .updateTable('sign_ins')
        .set({ not_after: now })
        .where('user_id', '=', userId)
        .where('not_after', '>', now)
        .$if(only !== undefined, (rows) => rows.where('id', '=', only ?? ''))
        .$if(except !== undefined, (rows) => rows.where('id', '!=', except ?? ''))
        .returning('id')
      return (await ended.execute()).map(({ id }) => id)
    },
    /** Records a ban, which the provider enforces. */
    async setBan(userId: string, until: number | null): Promise<void> {
      await db.updateTable('users').set({ banned_until: until }).where('id', '=', userId).execute()
    },
    async remove(userId: string): Promise<void> {
      await db.deleteFrom('users').where('id', '=', userId).execute()
    },
  }
}

export type MirrorStore = ReturnType<typeof createMirrorStore>

interface MirrorUserOptions {
  readonly now: number
  readonly offerId?: string | undefined
}

interface ObservedAuthSession {
  readonly authSessionId: string
  /** When the provider last authenticated the user (epoch ms). */
  readonly authenticatedAt: number | null
}

interface RecordedAuthSession {
  readonly isActive: boolean
  /** True the first time that it is recorded. */
  readonly isNew: boolean
}

interface EndAuthSessionsFilter {
  readonly only?: string | undefined
  readonly except?: string | undefined
}
