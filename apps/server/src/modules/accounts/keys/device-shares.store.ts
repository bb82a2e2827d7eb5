import type { Database } from '../../../platform/db/schema.ts'

interface DeviceShare {
  readonly deviceId: string
  readonly share: string
}

interface ShareHolder {
  readonly userId: string
  readonly authSessionId: string
}

/** SQL for the server's key shares of remembered devices: at most one per auth session. */
export function createDeviceSharesStore(db: Database) {
  return {
    /** Stores a share and replaces an earlier one of the same auth session. */
    async save({ userId, authSessionId }: ShareHolder, { deviceId, share }: DeviceShare, now: number): Promise<void> {
      const row = { user_id: userId, device_id: deviceId, share, created_at: now }
      await db
        .insertInto('device_shares')
        .values({ sign_in_id: authSessionId, ...row })
        .onConflict((conflict) => conflict.column('sign_in_id').doUpdateSet(row))
        .execute()
    },

    async find({ userId, authSessionId }: ShareHolder): Promise<DeviceShare | null> {
      const found = await db
        .selectFrom('device_shares')
        .select(['device_id as deviceId', 'share'])
        .where('user_id', '=', userId)
        .where('sign_in_id', '=', authSessionId)
        .executeTakeFirst()
      return found ?? null
    },

    /** Deletes the share of one auth session, or all shares of the user. */
    async remove(userId: string, authSessionId: string | undefined): Promise<void> {
      const ofUser = db.deleteFrom('device_shares').where('user_id', '=', userId)
      await (authSessionId === undefined ? ofUser : ofUser.where('sign_in_id', '=', authSessionId)).execute()
    },

    async removeCreatedBefore(time: number): Promise<void> {
      await db.deleteFrom('device_shares').where('created_at', '<=', time).execute()
    },
  }
}

export type DeviceSharesStore = ReturnType<typeof createDeviceSharesStore>
