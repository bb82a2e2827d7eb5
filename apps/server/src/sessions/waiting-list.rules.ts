import { sessionLimits } from '@sallyport/contract/limits'

/** One who waits to be let in, as far as the limits are concerned. */
interface Waiting {
  readonly id: string
  readonly blockHash: string
  readonly createdAt: number
}

/** Where a request comes from, and how many requests may wait that come from there. */
export interface AddressBlock {
  readonly blockHash: string
  readonly most: number
}

/** Whether a further request fits in, and whose place it takes where the list is full. */
export type PlaceInList = { readonly isFree: false } | { readonly isFree: true; readonly evicted: string | null }

/**
 * Decides about a place in the list of one session. An address block has few of them; in a full list the newest request of
 * the block with the most makes way for a block with fewer.
 */
export function placeInList(waiting: readonly Waiting[], { blockHash, most }: AddressBlock): PlaceInList {
  const blocks = Map.groupBy(waiting, (one) => one.blockHash)
  const own = blocks.get(blockHash)?.length ?? 0
  if (own >= most) return { isFree: false }
  if (waiting.length < sessionLimits.waitingKnocks) return { isFree: true, evicted: null }
  const [largest = []] = [...blocks.values()].toSorted((a, b) => b.length - a.length)
  if (largest.length <= own + 1) return { isFree: false }
  const newest = largest.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  return { isFree: true, evicted: newest?.id ?? null }
}
