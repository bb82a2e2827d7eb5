import { readFileSync } from 'node:fs'
import type { Carry } from '../e2e/support/ways-around.ts'

interface Late {
  readonly at: number
  readonly port: number
  readonly send: () => void
}

/** Chromium's sockets lose what is beyond 128 KiB, as Linux counts it; a packet of a data channel counts as 2,304 bytes. */
const mostWaitingBytes = 96 * 1024
const packetBytes = 2304

/**
 * Sends packets on so many milliseconds late, in their order. What the socket they go to has no room for waits here, so
 * that a browser that is not given the processor for a moment loses nothing.
 */
export function carryLate(delayMs: number): Carry {
  const late: Late[] = []
  let isWaiting = false

  function wait(): void {
    const [next] = late
    isWaiting = next !== undefined
    if (next) setTimeout(sendDue, Math.max(1, next.at - performance.now()))
  }

  function sendDue(): void {
    const now = performance.now()
    const end = late.findIndex(({ at }) => at > now)
    const due = late.splice(0, end === -1 ? late.length : end)
    const waiting = waitingBytes()
    const held = due.filter(({ port, send }) => {
      const bytes = waiting.get(port) ?? 0
      if (bytes > mostWaitingBytes) return true
      waiting.set(port, bytes + packetBytes)
      send()
      return false
    })
    late.unshift(...held)
    wait()
  }

  return (port, send) => {
    late.push({ at: performance.now() + delayMs, port, send })
    if (!isWaiting) wait()
  }
}

/** How much each socket of this machine has not yet been read from, by its port. */
function waitingBytes(): Map<number, number> {
  const sockets = readFileSync('/proc/net/udp', 'latin1').matchAll(
    /^\s*\d+: [0-9A-F]+:([0-9A-F]+) \S+ \S+ \S+:([0-9A-F]+)/gm,
  )
  return new Map(
    [...sockets].map(([, port = '', bytes = '']) => [Number.parseInt(port, 16), Number.parseInt(bytes, 16)]),
  )
}
