import { hasChanged } from '../../../platform/db/count-rows.ts'
import type { Database, Tables } from '../../../platform/db/schema.ts'

/** SQL for backup codes. A used code is deleted. */
export function createBackupCodesStore(db: Database) {
  return {
    async list(userId: string): Promise<Tables['backup_codes'][]> {
      return db.selectFrom('backup_codes').selectAll().where('user_id', '=', userId).execute()
    },
    async replace(userId: string, codes: readonly Tables['backup_codes'][]): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute()
        if (codes.length > 0) await transaction.insertInto('backup_codes').values(codes).execute()
      })
    },
    /** Deletes a code. Returns false when it does not exist or a concurrent request has used it. */
    async consume(userId: string, codeHash: string): Promise<boolean> {
      return hasChanged(db.deleteFrom('backup_codes').where('user_id', '=', userId).where('code_hash', '=', codeHash))
    },
  }
}
