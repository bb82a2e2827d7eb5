/** What one read of a socket yields. */
const pieceBytes = 64 * 1024
const piecesPerTick = 32
const fewestPieces = 2

/** The share that one transfer has of each tick of the event loop. */
export interface IoSlot {
  /** Bytes that the transfer may move in one tick. The figure changes when other transfers begin or end. */
  bytesPerTick(): number
  /** Calls `resume` in a later tick, when it is the turn of its caller. */
  waitForTick(resume: () => void): void
  /** Calls `move` at once if this tick has room for it, otherwise like `waitForTick`. */
  takeTurn(move: () => void): void
  release(): void
}

export interface IoScheduler {
  /** Callers share the ticks equally, however many transfers each of them has. */
  acquire(caller: string): IoSlot
}

/**
 * Divides the ticks of the event loop among transfers: 2 MB for all of them, and at least 128 KiB for each that moves in a
 * tick. While more transfers are ready than fit into a tick, their callers take turns. A short request waits for one tick,
 * so ticks stay short however many transfers are ready.
 */
export function createIoScheduler(): IoScheduler {
  /** By caller; the one whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  let active = 0
  /** The turns of this tick that were taken. */
  let taken = 0
  let isScheduled = false
  // A transfer that has ended may still wait, so that none is active.
  const piecesEach = (): number => Math.max(fewestPieces, Math.floor(piecesPerTick / Math.max(1, active)))

  const turnsPerTick = (): number => Math.floor(piecesPerTick / piecesEach())

  function schedule(): void {
    if (isScheduled || (waiting.size === 0 && taken === 0)) return
    isScheduled = true
    setImmediate(runTick)
  }

  function takeNext(): (() => void) | undefined {
    const [first] = waiting
    if (!first) return undefined
    const [caller, resumes] = first
    const next = resumes.shift()
    waiting.delete(caller)
    if (resumes.length > 0) waiting.set(caller, resumes)
    return next
  }

  function runTick(): void {
    isScheduled = false
    // A transfer that is resumed may wait again at once, for the next tick.
    const resumed = Array.from({ length: turnsPerTick() }, takeNext).filter((resume) => resume !== undefined)
    taken = resumed.length
    for (const resume of resumed) resume()
    schedule()
  }

  function enqueue(caller: string, resume: () => void): void {
    const resumes = waiting.get(caller)
    if (resumes) resumes.push(resume)
    else waiting.set(caller, [resume])
    schedule()
  }

  return {
    acquire(caller) {
      let isReleased = false
      active += 1
      return {
        bytesPerTick: () => piecesEach() * pieceBytes,
        waitForTick: (resume) => enqueue(caller, resume),
        takeTurn(move) {
          if (waiting.size > 0 || taken >= turnsPerTick()) return enqueue(caller, move)
          taken += 1
          schedule()
          move()
        },
        release() {
          if (!isReleased) active -= 1
          isReleased = true
        },
      }
    },
  }
}

/** Pauses a source after its bytes of one tick, and resumes it when the scheduler gives it another tick. */
export function paceByTicks(slot: IoSlot, { pause, resume }: { pause: () => void; resume: () => void }) {
  let moved = 0
  let isPaused = false
  return {
    isPaused: (): boolean => isPaused,
    count(bytes: number): void {
      moved += bytes
      if (isPaused || moved < slot.bytesPerTick()) return
      isPaused = true
      pause()
      slot.waitForTick(() => {
        moved = 0
        isPaused = false
        resume()
      })
    },
  }
}
