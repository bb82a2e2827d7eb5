import { sessionLimits } from '@sallyport/contract/limits'

/** A waiting join request, as far as the limits are concerned. */
interface WaitingRequest {
  readonly id: string
  readonly blockHash: string
  readonly createdAt: number
}

/** The origin of a request, and the maximum of waiting requests from there. */
export interface AddressBlock {
  readonly blockHash: string
  readonly max: number
}

/** Whether another request fits, and which one it evicts when the list is full. */
export type WaitingSlot = { readonly isFree: false } | { readonly isFree: true; readonly evicted: string | null }

/**
 * Decides on a slot in the waiting list of one session. An address block has few of them; in a full list the newest
 * request of the block with the most is evicted for a block with fewer.
 */
export function findWaitingSlot(waiting: readonly WaitingRequest[], { blockHash, max }: AddressBlock): WaitingSlot {
  const blocks = Map.groupBy(waiting, (one) => one.blockHash)
  const own = blocks.get(blockHash)?.length ?? 0
  if (own >= max) return { isFree: false }
  if (waiting.length < sessionLimits.maxJoinRequests) return { isFree: true, evicted: null }
  const [largest = []] = [...blocks.values()].toSorted((a, b) => b.length - a.length)
  if (largest.length <= own + 1) return { isFree: false }
  const newest = largest.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  return { isFree: true, evicted: newest?.id ?? null }
}
