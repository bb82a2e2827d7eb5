import * as z from 'zod/mini'
import { anyAccount, endpoint } from './endpoint.ts'
import { ByteCount, EpochMs, Succeeded } from './fields.ts'
import { day } from './units.ts'

/** How long the activity of an account is stored, how much of it, and how much a page shows. */
export const activityLimits = { retentionMs: 90 * day, perAccount: 200, perPage: 50, perAdminPage: 20 } as const

export const ActivityAction = z.enum(['sign-in', 'upload', 'download', 'share', 'share-download', 'delete'])
export type ActivityAction = z.output<typeof ActivityAction>

/** Something that happened in an account: when, and how much; never which file. */
export const ActivityEntry = z.object({
  action: ActivityAction,
  timestamp: EpochMs,
  details: z.object({
    /** How many files it was about, if it was about files. */
    files: z.optional(z.int()),
    /** Their plaintext size. */
    bytes: z.optional(ByteCount),
  }),
})
export type ActivityEntry = z.output<typeof ActivityEntry>

export const activity = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/activity',
    summary: 'List what happened in my account in the last 90 days, latest first',
    ...anyAccount,
    reply: z.object({
      success: Succeeded,
      activity: z.array(ActivityEntry).check(z.maxLength(activityLimits.perPage)),
    }),
  }),
}
