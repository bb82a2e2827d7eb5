import { dayOf } from '@sallyport/contract/days'
import { hasChanged } from '../../../platform/db/count-rows.ts'
import { countOnDay } from '../../../platform/db/daily-counts.ts'
import type { DatabaseTransaction } from '../../../platform/db/schema.ts'

/** Counts a user as active on the day of this time, once. */
export async function countActiveDay(transaction: DatabaseTransaction, userId: string, now: number): Promise<void> {
  const day = dayOf(now)
  const isFirst = await hasChanged(
    transaction
      .updateTable('users')
      .set({ active_day: day })
      .where('id', '=', userId)
      .where(({ eb, or }) => or([eb('active_day', 'is', null), eb('active_day', '<', day)])),
  )
  if (isFirst) await countOnDay(transaction, now, { active_users: 1 })
}
