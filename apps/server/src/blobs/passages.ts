/** What a socket brings at once. */
const pieceBytes = 64 * 1024
const piecesPerTick = 32
const leastPieces = 2

/** A transfer under way, which shares each tick of the event loop with the others. */
export interface Passage {
  /** How many bytes it may move in one tick, as long as no other transfer begins or ends. */
  bytesPerTick(): number
  leave(): void
}

export interface Passages {
  enter(): Passage
}

/**
 * Divides the ticks of the event loop among transfers: 2 MB for all of them, and 128 KiB at least for each. Whoever asks
 * a small question waits for one tick, so ticks must stay short when many transfers are ready at once.
 */
export function createPassages(): Passages {
  let underWay = 0
  return {
    enter() {
      let isIn = true
      underWay += 1
      return {
        bytesPerTick: () => Math.max(leastPieces, Math.floor(piecesPerTick / underWay)) * pieceBytes,
        leave() {
          if (isIn) underWay -= 1
          isIn = false
        },
      }
    },
  }
}

/** Counts what comes in during a tick; pauses what brings it once that is enough, and lets it go on in the next one. */
export function pauseWithinTicks(passage: Passage, { pause, goOn }: { pause: () => void; goOn: () => void }) {
  let moved = 0
  let isPaused = false
  return {
    isPaused: (): boolean => isPaused,
    count(bytes: number): void {
      moved += bytes
      if (isPaused || moved < passage.bytesPerTick()) return
      isPaused = true
      pause()
      setImmediate(() => {
        moved = 0
        isPaused = false
        goOn()
      })
    },
  }
}
