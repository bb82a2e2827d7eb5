import { expect, test } from 'vitest'
import { createCongestionWindow } from './congestion-window.ts'

const kilobyte = 1000
const frame = 65_580
const resentAfterMs = 400

interface SimulatedLink {
  readonly roundTripMs: number
  readonly bytesPerMs: number
  readonly queueBytes: number
}

/**
 * Simulates a link with one bottleneck and a queue before it, frame by frame. Frames that do not fit into the queue are
 * retransmitted by the transport after a delay, as in browsers.
 */
function simulateBottleneck(
  { roundTripMs, bytesPerMs, queueBytes }: SimulatedLink,
  milliseconds: number,
  measureFrom: number,
) {
  const window = createCongestionWindow(0)
  const arrivals: { at: number; sentAt: number }[] = []
  let free = 0
  let inFlight = 0
  let measured = 0
  let longestQueueMs = 0
  for (let now = 0; now < milliseconds; now += 1) {
    while (arrivals[0] && arrivals[0].at <= now) {
      const { sentAt } = arrivals.shift() as (typeof arrivals)[0]
      const before = inFlight
      inFlight -= frame
      if (now >= measureFrom) measured += frame
      window.onAck(now, now - sentAt, before)
    }
    while (inFlight === 0 || inFlight + frame <= window.bytes()) {
      const waitMs = Math.max(0, free - now)
      const isDropped = waitMs * bytesPerMs > queueBytes
      if (now >= measureFrom) longestQueueMs = Math.max(longestQueueMs, waitMs)
      if (!isDropped) free = Math.max(free, now) + frame / bytesPerMs
      arrivals.push({ at: (isDropped ? now + resentAfterMs : free) + roundTripMs, sentAt: now })
      arrivals.sort((left, right) => left.at - right.at)
      inFlight += frame
    }
  }
  return { utilization: measured / ((milliseconds - measureFrom) * bytesPerMs), longestQueueMs }
}

test.each<[string, SimulatedLink]>([
  ['60 ms, 3 MB/s and a queue of 300 KB', { roundTripMs: 60, bytesPerMs: 3 * kilobyte, queueBytes: 300_000 }],
  ['20 ms, 6 MB/s and a queue of 150 KB', { roundTripMs: 20, bytesPerMs: 6 * kilobyte, queueBytes: 150_000 }],
  ['120 ms, 5 MB/s and a queue of 600 KB', { roundTripMs: 120, bytesPerMs: 5 * kilobyte, queueBytes: 600_000 }],
  ['5 ms, 8 MB/s and a queue of 200 KB', { roundTripMs: 5, bytesPerMs: 8 * kilobyte, queueBytes: 200_000 }],
  ['1 ms, 1 Gbit/s and a queue of 1 MB', { roundTripMs: 1, bytesPerMs: 125 * kilobyte, queueBytes: 1_000_000 }],
])('congestion window: a link of %s is used to 85 % after 10 s, with a short queue', (_, link) => {
  const { utilization, longestQueueMs } = simulateBottleneck(link, 30_000, 10_000)

  expect(utilization).toBeGreaterThan(0.85)
  expect(longestQueueMs).toBeLessThan(Math.max(150, link.roundTripMs * 2))
})

test('congestion window: a slow link of 50 kB/s and 400 ms is not flooded', () => {
  const { utilization, longestQueueMs } = simulateBottleneck(
    { roundTripMs: 400, bytesPerMs: 50, queueBytes: 500_000 },
    60_000,
    20_000,
  )

  expect(utilization).toBeGreaterThan(0.85)
  expect(longestQueueMs).toBeLessThan(4000)
})

/** The transport's initial window, also when idle. It grows by half per round trip while the transport is busy. */
const burst = 4 * 1200

/** Simulates a lossless link under a transport with its own slow start. */
function simulateSlowStart(
  { roundTripMs, bytesPerMs }: Omit<SimulatedLink, 'queueBytes'>,
  milliseconds: number,
): number {
  const window = createCongestionWindow(0)
  const queued: { readonly sentAt: number; left: number }[] = []
  const arrivals: { readonly at: number; readonly sentAt: number }[] = []
  let speed = burst / roundTripMs
  let inFlight = 0
  let arrived = 0
  for (let now = 0; now < milliseconds; now += 1) {
    while (arrivals[0] && arrivals[0].at <= now) {
      const { sentAt } = arrivals.shift() as (typeof arrivals)[0]
      const before = inFlight
      inFlight -= frame
      arrived += frame
      window.onAck(now, now - sentAt, before)
    }
    if (inFlight === 0) speed = burst / roundTripMs
    while (inFlight === 0 || inFlight + frame <= window.bytes()) {
      queued.push({ sentAt: now, left: frame })
      inFlight += frame
    }
    let allowed = Math.min(speed, bytesPerMs)
    if (queued.length > 0) speed = Math.min(bytesPerMs, speed * 1.5 ** (1 / roundTripMs))
    for (let first = queued[0]; first && allowed > 0; first = queued[0]) {
      const taken = Math.min(allowed, first.left)
      allowed -= taken
      first.left -= taken
      if (first.left > 0) break
      queued.shift()
      arrivals.push({ at: now + roundTripMs, sentAt: first.sentAt })
    }
  }
  return arrived / (milliseconds * bytesPerMs)
}

test.each([20, 60, 150])(
  'congestion window: a transport that restarts slow start when idle is kept busy over %i ms',
  (roundTripMs) => {
    expect(simulateSlowStart({ roundTripMs, bytesPerMs: 10 * kilobyte }, 15_000)).toBeGreaterThan(0.7)
  },
)
