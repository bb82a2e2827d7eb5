import type { AuthUser } from '@sallyport/contract/auth'
import { signInLimits } from '@sallyport/contract/limits'
import type { Database, DatabaseTransaction } from '../../db/schema.ts'
import { newUser } from '../users/new-user.ts'
import type { Furnish } from '../users/users.store.ts'

/** SQL for what our own tables hold of users who are kept elsewhere: what accounts, files and devices hang on. */
export function createMirrorStore(db: Database, furnish: Furnish) {
  async function keepUser(transaction: DatabaseTransaction, { id, email }: AuthUser, arrival: Arrived): Promise<void> {
    const { now, offerId } = arrival
    const address = email === '' ? null : email
    // The provider is right about who holds an address now.
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
    if (added) await furnish(transaction, { userId: id, offerId, now })
    else await transaction.updateTable('users').set({ email: address }).where('id', '=', id).execute()
  }

  return {
    /** Keeps an account for a user who was made just now. */
    async add(user: AuthUser, arrival: Arrived): Promise<void> {
      await db.transaction().execute((transaction) => keepUser(transaction, user, arrival))
    },
    /** Notes that a user is signed in. False when that sign-in was ended here. */
    async see(user: AuthUser, { signInId, provedAt }: SeenSignIn, now: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        await keepUser(transaction, user, { now })
        const seen = await transaction
          .insertInto('sign_ins')
          .values({
            id: signInId,
            user_id: user.id,
            policy: 'remember',
            aal: 'aal1',
            amr: '[]',
            user_agent: null,
            created_at: now,
            refreshed_at: now,
            not_after: now + signInLimits.absoluteMs,
            factor_id: null,
            recovered_at: null,
            proved_at: provedAt,
          })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((row) => ({
              refreshed_at: now,
              proved_at: row
                .case()
                .when(row('sign_ins.proved_at', '>', provedAt ?? 0))
                .then(row.ref('sign_ins.proved_at'))
                .else(provedAt)
                .end(),
            })),
          )
          .returning(['user_id', 'not_after'])
          .executeTakeFirstOrThrow()
        return seen.user_id === user.id && seen.not_after > now
      })
    },
    /** Ends sign-ins here: one, all of the user's, or all but one. Their rows stay, so that they are known as ended. */
    async end(userId: string, { only, except }: Which, now: number): Promise<string[]> {
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
    async remove(userId: string): Promise<void> {
      await db.deleteFrom('users').where('id', '=', userId).execute()
    },
  }
}

export type MirrorStore = ReturnType<typeof createMirrorStore>

interface Arrived {
  readonly now: number
  readonly offerId?: string | undefined
}

interface SeenSignIn {
  readonly signInId: string
  /** When the provider last saw a proof of who signs in (epoch ms). */
  readonly provedAt: number | null
}

interface Which {
  readonly only?: string | undefined
  readonly except?: string | undefined
}
