import type { SealLane } from './seal-lane.ts'

/**
 * A browser keeps a copy of every request body in memory until its next garbage collection, which bytes outside the heap
 * do not bring about. Ending the worker frees them: so no lane that leaves copies carries more than this.
 */
const bytesPerLane = 64 * 1024 * 1024
/** One lane cannot keep a fast connection busy, a third gains nothing. */
const laneCount = 2

interface Place {
  readonly lane: SealLane
  /** Work that may still come back to this lane. */
  atWork: number
  carriedBytes: number
}

export interface LanePool {
  /** Gives the least busy lane to work that must stay on it until it is done. */
  use<T>(bytes: number, work: (lane: SealLane) => Promise<T>): Promise<T>
  closeAll(): void
}

export function createLanePool(openLane: () => SealLane): LanePool {
  const open = new Set<Place>()
  let current: Place[] = []

  function pick(bytes: number): Place {
    current = current.filter((place) => !isSpent(place, bytes))
    closeIdle()
    if (current.length < laneCount && current.every((place) => place.atWork > 0)) current.push(openPlace())
    return current.reduce((least, place) => (place.atWork < least.atWork ? place : least))
  }

  const isSpent = ({ lane, carriedBytes }: Place, bytes: number): boolean =>
    carriedBytes > 0 && carriedBytes + bytes > bytesPerLane && lane.leavesCopies()

  function openPlace(): Place {
    const place = { lane: openLane(), atWork: 0, carriedBytes: 0 }
    open.add(place)
    return place
  }

  function closeIdle(): void {
    for (const place of open) {
      if (place.atWork > 0 || current.includes(place)) continue
      open.delete(place)
      place.lane.close()
    }
  }

  return {
    async use(bytes, work) {
      const place = pick(bytes)
      place.atWork += 1
      place.carriedBytes += bytes
      try {
        return await work(place.lane)
      } finally {
        place.atWork -= 1
        closeIdle()
      }
    },
    closeAll() {
      current = []
      for (const place of open) place.lane.close()
      open.clear()
    },
  }
}
