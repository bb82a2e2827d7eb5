import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import type { Account } from '../../platform/http/caller.ts'

/** Creates the limit of how often an admin can read. */
export const createLimitReads =
  ({ rateLimiter }: Pick<ServerContext, 'rateLimiter'>) =>
  ({ userId }: Pick<Account, 'userId'>): Promise<void> =>
    rateLimiter.require(`admin-reads|${userId}`, rateLimits.adminReadsPerAdmin)

export type LimitReads = ReturnType<typeof createLimitReads>
