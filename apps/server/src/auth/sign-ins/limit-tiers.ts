import type { Attempts, Limit } from '../../limits/attempts.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'

/**
 * Counts one attempt under every tier, from the shortest window to the longest, so that the wait grows with the number
 * of failures. A refused attempt counts nowhere. The returned function releases the attempt once it has succeeded.
 */
export async function countInTiers(
  attempts: Attempts,
  key: string,
  tiers: readonly Limit[],
): Promise<() => Promise<void>> {
  const counted: string[] = []
  const release = async () => {
    for (const tier of counted) await attempts.forgive(tier)
  }
  for (const limit of tiers) {
    const tier = `${key}|${limit.windowSeconds}`
    const { allowed, retryAfterSeconds } = await attempts.allow(tier, limit)
    if (!allowed) {
      await release()
      throw refuseAuth('over_request_rate_limit', { retryAfterSeconds })
    }
    counted.push(tier)
  }
  return release
}
