import type { Database, Tables } from '../../db/schema.ts'

type KnownOrigin = Tables['known_origins']

/** SQL for the address blocks from which people have completed a sign-in. */
export function createKnownOriginsStore(db: Database) {
  return {
    /** True when the origin was recorded at this time or later. */
    async has({ user_id, origin_hash, seen_at }: KnownOrigin): Promise<boolean> {
      const row = await db
        .selectFrom('known_origins')
        .select('seen_at')
        .where('user_id', '=', user_id)
        .where('origin_hash', '=', origin_hash)
        .where('seen_at', '>=', seen_at)
        .executeTakeFirst()
      return row !== undefined
    },
    async add(origin: KnownOrigin): Promise<void> {
      await db
        .insertInto('known_origins')
        .values(origin)
        .onConflict((conflict) => conflict.columns(['user_id', 'origin_hash']).doUpdateSet({ seen_at: origin.seen_at }))
        .execute()
    },
    /** Removes some that were recorded before this time. */
    async removeOld(before: number, most: number): Promise<void> {
      const old = db.selectFrom('known_origins').select('origin_hash').where('seen_at', '<', before).limit(most)
      await db.deleteFrom('known_origins').where('origin_hash', 'in', old).where('seen_at', '<', before).execute()
    },
  }
}

export type KnownOriginsStore = ReturnType<typeof createKnownOriginsStore>
