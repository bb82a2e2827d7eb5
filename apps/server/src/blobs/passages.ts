/** What a socket brings at once. */
const pieceBytes = 64 * 1024
const piecesOfTurn = 32
const leastPieces = 2

/** A transfer under way, which shares each turn of the event loop with the others. */
export interface Passage {
  /** How many bytes it may move in one turn. */
  share(): number
  leave(): void
}

export interface Turns {
  enter(): Passage
}

/**
 * Divides the turns of the event loop among transfers: 2 MB for all of them, and 128 KiB at least for each. Whoever asks
 * a small question waits for one turn, so turns must stay short when many transfers are ready at once.
 */
export function createTurns(): Turns {
  let underWay = 0
  return {
    enter() {
      let isIn = true
      underWay += 1
      return {
        share: () => Math.max(leastPieces, Math.floor(piecesOfTurn / underWay)) * pieceBytes,
        leave() {
          if (isIn) underWay -= 1
          isIn = false
        },
      }
    },
  }
}

/** Counts what comes in during a turn, and says when the rest of it has to wait for the next one. */
export function waitForTurns(passage: Passage, { pause, goOn }: { pause: () => void; goOn: () => void }) {
  let moved = 0
  let isWaiting = false
  return {
    isWaiting: (): boolean => isWaiting,
    count(bytes: number): void {
      moved += bytes
      if (isWaiting || moved < passage.share()) return
      isWaiting = true
      pause()
      setImmediate(() => {
        moved = 0
        isWaiting = false
        goOn()
      })
    },
  }
}
