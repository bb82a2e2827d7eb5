import type { Database } from '../db/schema.ts'

interface DeviceShare {
  readonly deviceId: string
  readonly share: string
}

interface Holder {
  readonly userId: string
  readonly signInId: string
}

/** SQL for the server's shares of what unlocks remembered devices: one for a sign-in at most. */
export function createDeviceSharesStore(db: Database) {
  return {
    /** Keeps a share in place of an earlier one of the same sign-in. */
    async save({ userId, signInId }: Holder, { deviceId, share }: DeviceShare, now: number): Promise<void> {
      const kept = { user_id: userId, device_id: deviceId, share, created_at: now }
      await db
        .insertInto('device_shares')
        .values({ sign_in_id: signInId, ...kept })
        .onConflict((conflict) => conflict.column('sign_in_id').doUpdateSet(kept))
        .execute()
    },

    async find({ userId, signInId }: Holder): Promise<DeviceShare | null> {
      const found = await db
        .selectFrom('device_shares')
        .select(['device_id as deviceId', 'share'])
        .where('user_id', '=', userId)
        .where('sign_in_id', '=', signInId)
        .executeTakeFirst()
      return found ?? null
    },

    /** Drops the share of one sign-in, or all of the user's. */
    async remove({ userId, signInId }: { readonly userId: string; readonly signInId?: string }): Promise<void> {
      const ofUser = db.deleteFrom('device_shares').where('user_id', '=', userId)
      await (signInId === undefined ? ofUser : ofUser.where('sign_in_id', '=', signInId)).execute()
    },

    async removeMadeBefore(time: number): Promise<void> {
      await db.deleteFrom('device_shares').where('created_at', '<=', time).execute()
    },
  }
}

export type DeviceSharesStore = ReturnType<typeof createDeviceSharesStore>
