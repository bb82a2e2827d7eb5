import { isLocalBlock } from '../../http/address.ts'
import type { Attempts, Limit } from '../../limits/attempts.ts'
import { enclosingBlocks } from '../../resources/address-blocks.ts'
import { refuseAuth } from '../protocol/auth-refusal.ts'
import { waitInWords } from '../protocol/wait-in-words.ts'

interface KeyedLimit {
  readonly key: string
  readonly limit: Limit
}

/**
 * Counts one attempt under every key. A refused attempt counts nowhere, and is described by the given sentence. The
 * returned function releases the attempt once it has succeeded.
 */
export async function countAll(
  attempts: Attempts,
  limits: readonly KeyedLimit[],
  describe?: (wait: string) => string,
): Promise<() => Promise<void>> {
  const counted: string[] = []
  const release = async () => {
    for (const key of counted) await attempts.forgive(key)
  }
  for (const { key, limit } of limits) {
    const { allowed, retryAfterSeconds } = await attempts.allow(key, limit)
    if (!allowed) {
      await release()
      const text = describe?.(waitInWords(retryAfterSeconds))
      throw refuseAuth('over_request_rate_limit', { retryAfterSeconds, ...(text !== undefined && { text }) })
    }
    counted.push(key)
  }
  return release
}

/** From the shortest window to the longest, so that the wait grows with the number of failures. */
export const tiersOf = (key: string, tiers: readonly Limit[]): KeyedLimit[] =>
  tiers.map((limit) => ({ key: `${key}|${limit.windowSeconds}`, limit }))

/**
 * A limit of an address. As an IPv6 network has any number of addresses, a /56 may do twice as much and a /48 four times.
 * Local networks are not widened: one of them may stand for everyone who uses the server.
 */
export function blocksOf(address: string, limit: Limit, keyOf: (block: string) => string): KeyedLimit[] {
  const blocks = isLocalBlock(address) ? [address] : enclosingBlocks(address)
  return blocks.map((block, index) => ({ key: keyOf(block), limit: { ...limit, points: limit.points * 2 ** index } }))
}
