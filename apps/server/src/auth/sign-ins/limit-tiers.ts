import type { Attempts, Limit } from '../../limits/attempts.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import { waitInWords } from '../protocol/wait-in-words.ts'

/**
 * Counts one attempt under every tier, from the shortest window to the longest, so that the wait grows with the number
 * of failures. A refused attempt counts nowhere, and is described by the given sentence. The returned function releases
 * the attempt once it has succeeded.
 */
export async function countInTiers(
  attempts: Attempts,
  key: string,
  tiers: readonly Limit[],
  describe?: (wait: string) => string,
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
      const text = describe?.(waitInWords(retryAfterSeconds))
      throw refuseAuth('over_request_rate_limit', { retryAfterSeconds, ...(text !== undefined && { text }) })
    }
    counted.push(tier)
  }
  return release
}
