import type { Clock } from '../clock.ts'
import { setImmediate } from './set-immediate.ts'

interface ManualClock extends Clock {
  /** Advances time and resolves the waits that become due, in order. */
  advance(milliseconds: number): Promise<void>
  /** Advances time in one step, so that repeating work runs only once. */
  advanceInOneStep(milliseconds: number): Promise<void>
  /** The requested duration of every wait so far, except those of length `intervalMs`. */
  readonly waits: readonly number[]
}

interface ManualClockOptions {
  /** Waits of up to this length resolve immediately. */
  readonly skipUpTo?: number
  /** The length of periodic waits, which are not recorded and never resolve immediately. */
  readonly intervalMs?: number
}

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A clock that only advances when told to. */
export function createManualClock({ skipUpTo = -1, intervalMs = 250 }: ManualClockOptions = {}): ManualClock {
  const waits: number[] = []
  const pending = new Set<{ at: number; resolve: () => void }>()
  let now = 1_000_000

  async function resolveDue(end: number): Promise<void> {
    for (;;) {
      await nextTick()
      const next = [...pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      pending.delete(next)
      now = Math.max(now, next.at)
      next.resolve()
    }
    now = Math.max(now, end)
    await nextTick()
  }

  return {
    waits,
    now: () => now,
    wait(milliseconds, signal) {
      if (milliseconds !== intervalMs) waits.push(milliseconds)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (milliseconds <= skipUpTo && milliseconds !== intervalMs) {
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
    advance: (milliseconds) => resolveDue(now + milliseconds),
    advanceInOneStep(milliseconds) {
      now += milliseconds
      return resolveDue(now)
    },
  }
}
