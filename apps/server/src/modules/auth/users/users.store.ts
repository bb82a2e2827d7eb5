import { dayOf } from '@sallyport/contract/days'
import { sql } from 'kysely'
import { containsText } from '../../../platform/db/contains-text.ts'
import { countRows, hasChanged } from '../../../platform/db/count-rows.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { nonDurableTransaction } from '../../../platform/db/non-durable-transaction.ts'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { countActiveDay } from './active-day.store.ts'

/** A user as stored. It contains the credential hash and must not leave the provider. */
export type UserRecord = Tables['users']

export type UserPatch = Partial<Omit<UserRecord, 'id' | 'created_at'>>

/** A normalized email address or phone number. */
export type Identifier = { readonly email: string } | { readonly phone: string }

interface ListUsersOptions {
  readonly limit: number
  readonly offset: number
  readonly filter: string | undefined
}

/** A new account and the licence offer that it redeems, if any. */
interface NewAccount {
  readonly userId: string
  readonly offerId?: string | undefined
  readonly now: number
}

/** Creates the rows that belong to every account, in the transaction that creates the user. */
export type ProvisionAccount = (transaction: DatabaseTransaction, account: NewAccount) => Promise<void>

/** SQL for the users of the embedded provider. */
export function createUsersStore(db: Database, provisionAccount: ProvisionAccount) {
  function matching(filter: string | undefined) {
    const users = db.selectFrom('users').where('deleted_at', 'is', null)
    if (!filter) return users
    const text = filter.toLowerCase()
    return users.where((where) => where.or([containsText(sql`email`, text), containsText(sql`phone`, text)]))
  }

  return {
    /** Returns false when the email address or phone number is taken. */
    async add(user: UserRecord, offerId?: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('users')
          .values(user)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!added) return false
        await provisionAccount(transaction, { userId: user.id, offerId, now: user.created_at })
        return true
      })
    },
    /** Counts the user as active on the day of this time, once. A power cut may lose it. */
    async markActive({ id, active_day }: Pick<UserRecord, 'id' | 'active_day'>, now: number): Promise<void> {
      if (active_day === dayOf(now)) return
      await nonDurableTransaction(db, (transaction) => countActiveDay(transaction, id, now))
    },
    async find(id: string): Promise<UserRecord | null> {
      return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async findBy(identifier: Identifier): Promise<UserRecord | null> {
      const users = db.selectFrom('users').selectAll()
      const found =
        'email' in identifier
          ? users.where('email', '=', identifier.email)
          : users.where('phone', '=', identifier.phone)
      return (await found.executeTakeFirst()) ?? null
    },
    /** Lists users, newest first; a filter matches part of the email address or phone number. */
    async list({ limit, offset, filter }: ListUsersOptions): Promise<UserRecord[]> {
      return matching(filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
    },
    async count(filter: string | undefined): Promise<number> {
      return countRows(matching(filter))
    },
    /** Returns the updated user, null when there is none, or `taken` when another user has the identifier. */
    async update(id: string, patch: UserPatch): Promise<UserRecord | 'taken' | null> {
      try {
        const user = await db.updateTable('users').set(patch).where('id', '=', id).returningAll().executeTakeFirst()
        return user ?? null
      } catch (error) {
        if (isUniqueViolation(error)) return 'taken'
        throw error
      }
    },
    /** Bans a user until this time; null lifts the ban. Returns true when the user exists. */
    async setBan(
      id: string,
      bannedUntil: number | null,
      connection: Database | DatabaseTransaction = db,
    ): Promise<boolean> {
      return hasChanged(connection.updateTable('users').set({ banned_until: bannedUntil }).where('id', '=', id))
    },
    /** Deletes a user and, by cascade, all their rows. Returns true when the user existed. */
    async remove(id: string): Promise<boolean> {
      return hasChanged(db.deleteFrom('users').where('id', '=', id))
    },
  }
}

export type UsersStore = ReturnType<typeof createUsersStore>
