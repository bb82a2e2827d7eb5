import { expect, test } from 'vitest'
import { createWindow } from './window.ts'

const kilobyte = 1000
const frame = 65_580
const resentAfterMs = 400

interface Line {
  readonly roundTripMs: number
  readonly bytesPerMs: number
  readonly queueBytes: number
}

/**
 * Plays a line with one narrow place and a queue before it, frame by frame. What the queue cannot hold is sent again by
 * the transport after a while, as browsers do.
 */
function play({ roundTripMs, bytesPerMs, queueBytes }: Line, milliseconds: number, measureFrom: number) {
  const window = createWindow(0)
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
      window.acknowledged(now, now - sentAt, before)
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
  return { use: measured / ((milliseconds - measureFrom) * bytesPerMs), longestQueueMs }
}

test.each<[string, Line]>([
  ['60 ms, 3 MB/s, 300 KB before it', { roundTripMs: 60, bytesPerMs: 3 * kilobyte, queueBytes: 300_000 }],
  ['20 ms, 6 MB/s, 150 KB before it', { roundTripMs: 20, bytesPerMs: 6 * kilobyte, queueBytes: 150_000 }],
  ['120 ms, 5 MB/s, 600 KB before it', { roundTripMs: 120, bytesPerMs: 5 * kilobyte, queueBytes: 600_000 }],
  ['5 ms, 8 MB/s, 200 KB before it', { roundTripMs: 5, bytesPerMs: 8 * kilobyte, queueBytes: 200_000 }],
  ['1 ms, 1 Gbit/s, 1 MB before it', { roundTripMs: 1, bytesPerMs: 125 * kilobyte, queueBytes: 1_000_000 }],
])('the window fills a line of %s to 85 % after ten seconds, and queues little', (_, line) => {
  const { use, longestQueueMs } = play(line, 30_000, 10_000)

  expect(use).toBeGreaterThan(0.85)
  expect(longestQueueMs).toBeLessThan(Math.max(150, line.roundTripMs * 2))
})

test('a slow line of 50 kB/s and 400 ms is not flooded', () => {
  const { use, longestQueueMs } = play({ roundTripMs: 400, bytesPerMs: 50, queueBytes: 500_000 }, 60_000, 20_000)

  expect(use).toBeGreaterThan(0.85)
  expect(longestQueueMs).toBeLessThan(4000)
})

/** What a transport sends at first, and after it has run empty; half as much again with each round trip that it is kept busy. */
const burst = 4 * 1200

/** Plays a line on which nothing is lost, under a transport that finds its speed by itself. */
function playSlowStart({ roundTripMs, bytesPerMs }: Omit<Line, 'queueBytes'>, milliseconds: number): number {
  const window = createWindow(0)
  const waiting: { readonly sentAt: number; left: number }[] = []
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
      window.acknowledged(now, now - sentAt, before)
    }
    if (inFlight === 0) speed = burst / roundTripMs
    while (inFlight === 0 || inFlight + frame <= window.bytes()) {
      waiting.push({ sentAt: now, left: frame })
      inFlight += frame
    }
    let allowed = Math.min(speed, bytesPerMs)
    if (waiting.length > 0) speed = Math.min(bytesPerMs, speed * 1.5 ** (1 / roundTripMs))
    for (let first = waiting[0]; first && allowed > 0; first = waiting[0]) {
      const taken = Math.min(allowed, first.left)
      allowed -= taken
      first.left -= taken
      if (first.left > 0) break
      waiting.shift()
      arrivals.push({ at: now + roundTripMs, sentAt: first.sentAt })
    }
  }
  return arrived / (milliseconds * bytesPerMs)
}

test.each([20, 60, 150])(
  'a transport that begins anew whenever it runs empty is kept busy over %i ms',
  (roundTripMs) => {
    expect(playSlowStart({ roundTripMs, bytesPerMs: 10 * kilobyte }, 15_000)).toBeGreaterThan(0.7)
  },
)
