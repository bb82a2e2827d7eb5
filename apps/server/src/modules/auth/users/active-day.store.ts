import { dayOf } from '@sallyport/contract/days'
import { countOnDay } from '../../../platform/db/daily-counts.ts'
import type { DatabaseTransaction } from '../../../platform/db/schema.ts'

/** Counts a user as active on the day of this time, once. */
export async function countActiveDay(transaction: DatabaseTransaction, userId: string, now: number): Promise<void> {
  const day = dayOf(now)
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ active_day: day })
    .where('id', '=', userId)
    .where(({ eb, or }) => or([eb('active_day', 'is', null), eb('active_day', '<', day)]))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await countOnDay(transaction, now, { active_users: 1 })
}
