import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByteCount, Day, Succeeded } from './fields.ts'

/** The periods that analytics can show, in days up to today. */
export const AnalyticsPeriod = z.enum(['7', '30', '90', '365'])
export type AnalyticsPeriod = z.output<typeof AnalyticsPeriod>

const counts = {
  /** Users who signed in, or whose page asked for a new token. In a sum, each day counts them once. */
  active_users: z.int(),
  new_users: z.int(),
  /** Files stored in accounts and sessions. */
  uploads: z.int(),
  /** Without what encryption adds. */
  uploaded_bytes: ByteCount,
  /** Of files in accounts, by their owner or by a share link. */
  downloads: z.int(),
  downloaded_bytes: ByteCount,
  shares: z.int(),
  sessions: z.int(),
  portals: z.int(),
}

const AnalyticsCounts = z.object(counts)
export type AnalyticsCounts = z.output<typeof AnalyticsCounts>

/** What happened on this server by day, in numbers that are about nobody in particular. */
export const adminAnalytics = {
  analytics: endpoint({
    method: 'GET',
    path: '/api/admin/analytics',
    summary: 'Count people, files and bytes for each day of a period',
    access: 'admin',
    /** 30 without it. */
    query: z.object({ days: z.optional(AnalyticsPeriod) }),
    reply: z.object({
      success: Succeeded,
      /** Each day of the period, the oldest first; the last one is today. */
      days: z.array(z.object({ day: Day, ...counts })).check(z.maxLength(365)),
      /**
       * The sums of the days before, as many as are over of the period: one less than it has. Null if the server did not
       * yet count on the first of them.
       */
      previous: z.nullable(AnalyticsCounts),
      /** The day on which the server began to count. */
      counted_since: Day,
    }),
    errors: ['RATE_LIMITED'],
  }),
}
