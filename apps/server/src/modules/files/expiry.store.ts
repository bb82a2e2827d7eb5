import type { Database } from '../../platform/db/schema.ts'

/** Reads when a stored file expires, in epoch milliseconds; null once it is deleted. */
export const createExpiryStore =
  (db: Database) =>
  async (fileId: string): Promise<number | null> => {
    const row = await db.selectFrom('files').select('expires_at').where('id', '=', fileId).executeTakeFirst()
    return row?.expires_at ?? null
  }
