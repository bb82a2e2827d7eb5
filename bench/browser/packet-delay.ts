import { readFileSync } from 'node:fs'
import type { ForwardPacket } from '../../e2e/support/network/udp-relays.ts'

interface DelayedPacket {
  readonly at: number
  readonly port: number
  readonly send: () => void
}

/** Chromium's sockets drop packets beyond 128 KiB as accounted by Linux, which counts 2,304 bytes per data channel packet. */
const maxBufferedBytes = 96 * 1024
const packetBytes = 2304

/**
 * Forwards packets in order with a delay of `delayMs`. Packets that exceed the receive buffer of the target socket are
 * queued here, so that a browser that is briefly descheduled loses none.
 */
export function createDelayedForwarder(delayMs: number): ForwardPacket {
  const queue: DelayedPacket[] = []
  let isScheduled = false

  function schedule(): void {
    const [next] = queue
    isScheduled = next !== undefined
    if (next) setTimeout(sendDue, Math.max(1, next.at - performance.now()))
  }

  function sendDue(): void {
    const now = performance.now()
    const end = queue.findIndex(({ at }) => at > now)
    const due = queue.splice(0, end === -1 ? queue.length : end)
    const buffered = receiveBufferBytes()
    const blocked = due.filter(({ port, send }) => {
      const bytes = buffered.get(port) ?? 0
      if (bytes > maxBufferedBytes) return true
      buffered.set(port, bytes + packetBytes)
      send()
      return false
    })
    queue.unshift(...blocked)
    schedule()
  }

  return (port, send) => {
    queue.push({ at: performance.now() + delayMs, port, send })
    if (!isScheduled) schedule()
  }
}

/** Returns the bytes in the receive buffer of each UDP socket of this machine, by port. */
function receiveBufferBytes(): Map<number, number> {
  const sockets = readFileSync('/proc/net/udp', 'latin1').matchAll(
    /^\s*\d+: [0-9A-F]+:([0-9A-F]+) \S+ \S+ \S+:([0-9A-F]+)/gm,
  )
  return new Map(
    [...sockets].map(([, port = '', bytes = '']) => [Number.parseInt(port, 16), Number.parseInt(bytes, 16)]),
  )
}
