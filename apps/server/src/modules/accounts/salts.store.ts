import type { Database, Tables } from '../../platform/db/schema.ts'

export type PinnedSalt = Tables['account_salts']

interface SaltRename {
  readonly from: string
  readonly to: string
  readonly released: Tables['released_salts']
}

/** SQL for the pinned salts of existing accounts. */
export function createSaltsStore(db: Database) {
  return {
    async find(identifier: string): Promise<Pick<PinnedSalt, 'salt' | 'profile'> | null> {
      const pinned = await db
        .selectFrom('account_salts')
        .select(['salt', 'profile'])
        .where('identifier', '=', identifier)
        .executeTakeFirst()
      return pinned ?? null
    },
    /** Stores the salt of an identifier. Does not replace an existing salt, but raises its profile to a higher one. */
    async pin(salt: PinnedSalt): Promise<void> {
      await db
        .insertInto('account_salts')
        .values(salt)
        .onConflict((conflict) =>
          conflict
            .column('identifier')
            .doUpdateSet({ profile: salt.profile })
            .where('account_salts.user_id', '=', salt.user_id)
            .where('account_salts.profile', '<', salt.profile),
        )
        .execute()
    },
    /** The salt of an identifier that an account no longer uses, or null. */
    async findReleased(identifierHash: string): Promise<string | null> {
      const released = await db
        .selectFrom('released_salts')
        .select('salt')
        .where('identifier_hash', '=', identifierHash)
        .executeTakeFirst()
      return released?.salt ?? null
    },
    /** Moves an account's salt to its new identifier. The old identifier gets a different salt. */
    async rename(userId: string, { from, to, released }: SaltRename): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const moved = await transaction
          .deleteFrom('account_salts')
          .where('user_id', '=', userId)
          .where('identifier', '=', from)
          .returning(['salt', 'profile'])
          .executeTakeFirst()
        if (!moved) return
        await transaction
          .insertInto('account_salts')
          .values({ identifier: to, user_id: userId, ...moved })
          .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ user_id: userId, ...moved }))
          .execute()
        await transaction
          .insertInto('released_salts')
          .values(released)
          .onConflict((conflict) => conflict.column('identifier_hash').doUpdateSet({ salt: released.salt }))
          .execute()
      })
    },
    /** The fraction of accounts with a profile below this one, from 0 to 1. */
    async fractionBelow(profile: number): Promise<number> {
      const { earlier, total } = await db
        .selectFrom('account_salts')
        .select((column) => [
          column.fn.countAll<number>().filterWhere('profile', '<', profile).as('earlier'),
          column.fn.countAll<number>().as('total'),
        ])
        .executeTakeFirstOrThrow()
      return Number(total) === 0 ? 0 : Number(earlier) / Number(total)
    },
  }
}

export type SaltsStore = ReturnType<typeof createSaltsStore>
