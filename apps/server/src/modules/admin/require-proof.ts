import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import type { Account } from '../../platform/http/caller.ts'
import type { AuthProvider } from '../auth/provider.ts'

interface ProofDeps extends Pick<ServerContext, 'rateLimiter'> {
  readonly provider: Pick<AuthProvider, 'isRecentlyAuthenticated'>
}

/** Creates the check before each change: throws RATE_LIMITED, or PASSWORD_PROOF_REQUIRED without a recent password. */
export const createRequireProof =
  ({ rateLimiter, provider }: ProofDeps) =>
  async ({ userId, authSessionId }: Account): Promise<void> => {
    await rateLimiter.require(`admin-changes|${userId}`, rateLimits.adminChangesPerAdmin)
    if (!(await provider.isRecentlyAuthenticated(authSessionId))) throw apiError('PASSWORD_PROOF_REQUIRED')
  }

export type RequireProof = ReturnType<typeof createRequireProof>
