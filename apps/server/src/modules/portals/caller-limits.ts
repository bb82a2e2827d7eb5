import { portalRoomLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { widerBlocks } from '../../platform/http/address.ts'
import type { RateLimit, RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import type { RoomSource } from './room-store.ts'

/** The keys that count the open rooms of a caller: its address, and for IPv6 the wider networks. */
export function roomSources(address: string, hash: (text: string) => string): readonly RoomSource[] {
  const wider = widerBlocks(address).map(({ bits, block }) => ({
    block,
    maxRooms: portalRoomLimits.openRoomsPerBlock[bits],
  }))
  return [{ block: address, maxRooms: portalRoomLimits.openRoomsPerAddress }, ...wider].map(({ block, maxRooms }) => ({
    key: hash(block),
    maxRooms,
  }))
}

const lookups: Record<56 | 48, RateLimit> = { 56: rateLimits.portalLookupsPer56, 48: rateLimits.portalLookupsPer48 }

/**
 * Counts one lookup of a code and returns after how many seconds it would be allowed; 0 when it is allowed. Right and
 * wrong codes count alike, so that nobody can list the waiting rooms by trying all prefixes.
 */
export async function countLookup(rateLimiter: RateLimiter, address: string): Promise<number> {
  const wider = widerBlocks(address).map(({ bits, block }) => ({ block, limit: lookups[bits] }))
  for (const { block, limit } of [{ block: address, limit: rateLimits.portalLookupsPerAddress }, ...wider]) {
    const { allowed, retryAfterSeconds } = await rateLimiter.allow(`portal-lookup:${block}`, limit)
    if (!allowed) return Math.max(1, retryAfterSeconds)
  }
  return 0
}
