import type { Clock } from '../clock.ts'
import { setImmediate } from './next-turn.ts'

interface ManualClock extends Clock {
  /** Moves time on and settles the waits that end on the way, in their order. */
  advance(milliseconds: number): Promise<void>
  /** Moves time on in one leap: what repeats comes round once. */
  leap(milliseconds: number): Promise<void>
  /** How long every wait so far was asked to be, but for those of a steady beat. */
  readonly waits: readonly number[]
}

interface Options {
  /** Waits up to so long pass by themselves, at once. */
  readonly passUpTo?: number
  /** Waits of this length are not written down. */
  readonly beat?: number
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A clock that stands still until it is moved. */
export function createManualClock({ passUpTo = -1, beat = 250 }: Options = {}): ManualClock {
  const waits: number[] = []
  const pending = new Set<{ at: number; resolve: () => void }>()
  let now = 1_000_000

  async function settleDue(end: number): Promise<void> {
    for (;;) {
      await tick()
      const next = [...pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      pending.delete(next)
      now = Math.max(now, next.at)
      next.resolve()
    }
    now = Math.max(now, end)
    await tick()
  }

  return {
    waits,
    now: () => now,
    wait(milliseconds, signal) {
      if (milliseconds !== beat) waits.push(milliseconds)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (milliseconds <= passUpTo && milliseconds !== beat) {
          now += milliseconds
          return resolve()
        }
        const entry = { at: now + milliseconds, resolve }
        pending.add(entry)
        signal?.addEventListener('abort', () => {
          pending.delete(entry)
          reject(signal.reason)
        })
      })
    },
    advance: (milliseconds) => settleDue(now + milliseconds),
    leap(milliseconds) {
      now += milliseconds
      return settleDue(now)
    },
  }
}
