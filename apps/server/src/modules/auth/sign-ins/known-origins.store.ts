import type { Database, Tables } from '../../../platform/db/schema.ts'

type KnownOrigin = Tables['known_origins']

/** SQL for the IP address blocks from which users have completed signing in. */
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
    /** Removes up to `limit` origins that were last seen before this time. */
    async removeExpired(before: number, limit: number): Promise<void> {
      const expired = db.selectFrom('known_origins').select('origin_hash').where('seen_at', '<', before).limit(limit)
      await db.deleteFrom('known_origins').where('origin_hash', 'in', expired).where('seen_at', '<', before).execute()
    },
  }
}

export type KnownOriginsStore = ReturnType<typeof createKnownOriginsStore>
