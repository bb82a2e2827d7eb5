import { clockLimits } from '@sallyport/contract/server-limits'
import type { ClockReading, ClockReadingsStore } from './clock-readings.store.ts'
import type { Uptime } from './uptime.ts'

/** A time that cannot be explained by how long the machine has been running. Epoch milliseconds. */
export interface ClockJump {
  readonly expected: number
  readonly actual: number
}

interface ClockDeps {
  /** Reads the database's clock. */
  readonly read: () => number
  readonly uptime: Uptime
  readonly store: ClockReadingsStore
}

/** The last time that was right, and what may follow it. */
interface Reference {
  readonly time: number
  readonly uptimeMs: number
  /** How far the clock may be ahead of it, besides the uptime since then. */
  readonly aheadMs: number
}

const { jumpMs, downtimeMs, settleMs, keepReadingsMs } = clockLimits

/**
 * Opens the clock of the server. It compares the database's time with the last one that any node has stored and with the
 * time since then by the uptime of the machine, so that it notices a wrong clock also after a start.
 */
export async function openClock({ read, uptime, store }: ClockDeps) {
  const readings = (await store.isThere()) ? await store.list() : []
  let confirmations = readings[0]?.confirmations ?? 0
  let reference = referenceAtStart(readings)
  let latest = reference.time
  const settledAtMs = uptime.ms() + settleMs

  function referenceAtStart([newest, ...others]: readonly ClockReading[]): Reference {
    const uptimeMs = uptime.ms()
    if (!newest) return { time: read(), uptimeMs, aheadMs: jumpMs }
    const own = [newest, ...others].find(({ bootId }) => bootId === uptime.bootId)
    // Some containers count their own uptime, which begins again.
    if (own && own.uptimeMs <= uptimeMs) return { ...own, aheadMs: jumpMs }
    return { time: newest.time, uptimeMs, aheadMs: downtimeMs }
  }

  function jump(): ClockJump | null {
    const expected = reference.time + Math.round(uptime.ms() - reference.uptimeMs)
    const actual = read()
    const isRight = actual >= expected - jumpMs && actual <= expected + reference.aheadMs
    return isRight ? null : { expected, actual }
  }

  const acceptTime = (): void => {
    reference = { time: read(), uptimeMs: uptime.ms(), aheadMs: jumpMs }
    latest = reference.time
  }

  const save = (time: number): Promise<void> =>
    store.save({ bootId: uptime.bootId, time, uptimeMs: uptime.ms(), confirmations }, time - keepReadingsMs)

  return {
    /**
     * The database's time in epoch milliseconds, which is not set back: while its clock is behind what is expected, the
     * expected time. What is stored meanwhile would otherwise have expired when the clock is right again.
     */
    now(): number {
      const actual = read()
      // Reading the uptime takes longer than the rest, so it is read only if the time may have been set back.
      if (actual < latest - jumpMs) {
        const jumped = jump()
        if (jumped && jumped.actual < jumped.expected) return jumped.expected
        latest = actual
      }
      latest = Math.max(latest, actual)
      return actual
    },

    /** Null while the time can be right. Otherwise nothing may be erased because it has expired. */
    jump,

    /** Stores the time for the next start, and takes over a time that was confirmed on another node. */
    async check(): Promise<ClockJump | null> {
      const confirmed = await store.countConfirmations()
      if (confirmed > confirmations) {
        confirmations = confirmed
        acceptTime()
      }
      const jumped = jump()
      const isSettled = reference.aheadMs === jumpMs || uptime.ms() >= settledAtMs
      if (!jumped && isSettled) acceptTime()
      // Until then a restart must find the reading from before the start of the machine.
      if (isSettled) await save(jumped ? jumped.expected : read())
      return jumped
    },

    /** Takes the present time to be right, on all nodes. */
    async confirm(): Promise<void> {
      confirmations = (await store.countConfirmations()) + 1
      acceptTime()
      await save(read())
    },
  }
}

export type Clock = Awaited<ReturnType<typeof openClock>>
