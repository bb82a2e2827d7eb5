import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/failures.ts'
import type { Database, DatabaseTransaction, Tables } from '../../db/schema.ts'

/** A user as stored; the hash of the credential is part of it and goes no further than the provider. */
export type UserRecord = Tables['users']

export type UserPatch = Partial<Omit<UserRecord, 'id' | 'created_at'>>

/** An address or a number in its normal form. */
export type Identifier = { readonly email: string } | { readonly phone: string }

interface Slice {
  readonly limit: number
  readonly offset: number
  readonly filter: string | undefined
}

/** Who is new, since when, and by which licence offer they came, if by any. */
export interface Arrival {
  readonly userId: string
  readonly offerId?: string | undefined
  readonly now: number
}

/** Gives a new user what belongs to every account, in the transaction that makes the user. */
export type Furnish = (transaction: DatabaseTransaction, arrival: Arrival) => Promise<void>

/** SQL for the users of the embedded provider. */
export function createUsersStore(db: Database, furnish: Furnish) {
  function matching(filter: string | undefined) {
    const users = db.selectFrom('users').where('deleted_at', 'is', null)
    if (!filter) return users
    const holding = `%${filter.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
    return users.where((where) =>
      where.or([sql<boolean>`email like ${holding} escape '\\'`, sql<boolean>`phone like ${holding} escape '\\'`]),
    )
  }

  return {
    /** False when the address or the number is taken. */
    async add(user: UserRecord, offerId?: string): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('users')
          .values(user)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!added) return false
        await furnish(transaction, { userId: user.id, offerId, now: user.created_at })
        return true
      })
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
    /** Some of the users, newest first; with a filter only those whose address or number holds it. */
    async list({ limit, offset, filter }: Slice): Promise<UserRecord[]> {
      return matching(filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
    },
    async count(filter: string | undefined): Promise<number> {
      const { total } = await matching(filter)
        .select((column) => column.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    /** The user as changed; null when there is none, `taken` when somebody else holds the address or the number. */
    async update(id: string, patch: UserPatch): Promise<UserRecord | 'taken' | null> {
      try {
        const user = await db.updateTable('users').set(patch).where('id', '=', id).returningAll().executeTakeFirst()
        return user ?? null
      } catch (error) {
        if (isUniqueViolation(error)) return 'taken'
        throw error
      }
    },
    /** Nobody is banned without an end; null lifts the ban. True when there is such a user. */
    async setBan(id: string, bannedUntil: number | null): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ banned_until: bannedUntil })
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Takes along all that belongs to the user in the database. True when there was such a user. */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export type UsersStore = ReturnType<typeof createUsersStore>
