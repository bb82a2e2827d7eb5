import { portalRoomLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { widerBlocks } from '../http/address.ts'
import type { Attempts, Limit } from '../limits/attempts.ts'
import type { RoomSource } from './rooms.ts'

/** What the open rooms of a caller are counted under: its address, and for IPv6 the wider networks. */
export function roomSources(address: string, hash: (text: string) => string): readonly RoomSource[] {
  const wider = widerBlocks(address).map(({ bits, block }) => ({
    block,
    most: portalRoomLimits.openRoomsPerBlock[bits],
  }))
  return [{ block: address, most: portalRoomLimits.openRoomsPerAddress }, ...wider].map(({ block, most }) => ({
    key: hash(block),
    most,
  }))
}

const lookups: Record<56 | 48, Limit> = { 56: rateLimits.portalLookupsPer56, 48: rateLimits.portalLookupsPer48 }

/**
 * Counts one question of what a code leads to, and answers after how many seconds it would be allowed; 0 where it is.
 * Right and wrong ones count alike, so that nobody lists the waiting rooms by trying all prefixes.
 */
export async function countLookup(attempts: Attempts, address: string): Promise<number> {
  const wider = widerBlocks(address).map(({ bits, block }) => ({ block, limit: lookups[bits] }))
  for (const { block, limit } of [{ block: address, limit: rateLimits.portalLookupsPerAddress }, ...wider]) {
    const { allowed, retryAfterSeconds } = await attempts.allow(`portal-lookup:${block}`, limit)
    if (!allowed) return Math.max(1, retryAfterSeconds)
  }
  return 0
}
