import { expect } from 'vitest'

const pairs = 200
const boundMs = 5
/** Number of pairs for comparing the minimum durations. */
const [minPairs, maxPairs] = [5, 30]

/** Each function makes one request and returns its duration in milliseconds. */
interface TimedCalls {
  readonly known: () => Promise<number>
  readonly unknown: () => Promise<number>
}

const quantile = (times: readonly number[], fraction: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * fraction)] ?? 0
const median = (times: readonly number[]): number => quantile(times, 1 / 2)

/** Expected noise of the median on a busy machine: a quarter of the interquartile range. */
const expectedNoise = (times: readonly number[]): number => (quantile(times, 3 / 4) - quantile(times, 1 / 4)) / 4

/**
 * Measures 200 pairs and returns by how many milliseconds the difference of the medians exceeds the bound. The order
 * alternates with every pair, so that other load on the machine affects both sides equally.
 */
async function excessDifference(
  { known, unknown }: TimedCalls,
  concurrency: number,
  beforeBatch: () => unknown,
): Promise<number> {
  const times: Record<keyof TimedCalls, number[]> = { known: [], unknown: [] }
  const measurePair = async (index: number): Promise<void> => {
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    const measure = async (side: keyof TimedCalls) => times[side].push(await (side === 'known' ? known : unknown)())
    if (concurrency > 1) await Promise.all(order.map(measure))
    else for (const side of order) await measure(side)
  }
  for (let start = 0; start < pairs; start += concurrency) {
    await beforeBatch()
    await Promise.all(Array.from({ length: concurrency }, (_, index) => measurePair(start + index)))
  }
  const bound = Math.max(boundMs, expectedNoise(times.known))
  return Math.abs(median(times.known) - median(times.unknown)) - bound
}

/**
 * Expects the same median duration of both sides over 200 pairs. `beforeBatch` is called before each batch. Retries twice,
 * because the medians can differ by chance on a busy machine, but hardly three times in a row.
 */
export async function expectSameTiming(
  calls: TimedCalls,
  concurrency: number,
  beforeBatch: () => unknown,
): Promise<void> {
  const excesses: number[] = []
  while (excesses.length < 3 && excesses.every((ms) => ms >= 0))
    excesses.push(await excessDifference(calls, concurrency, beforeBatch))
  expect(Math.min(...excesses), `${excesses.join(', ')} ms beyond the bound`).toBeLessThan(0)
}

/**
 * Expects the minimum durations of both sides to be close. Other load on the machine only ever makes a request slower, so
 * further pairs are measured if they differ after five; a side that is really slower does not get closer by that.
 */
export async function expectSameMinimum(
  { known, unknown }: TimedCalls,
  isClose: (known: number, unknown: number) => boolean,
): Promise<void> {
  const minimum = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  const areClose = () => isClose(minimum.known, minimum.unknown)
  for (let pair = 0; pair < minPairs || (pair < maxPairs && !areClose()); pair += 1) {
    minimum.known = Math.min(minimum.known, await known())
    minimum.unknown = Math.min(minimum.unknown, await unknown())
  }
  expect(areClose(), `${minimum.known} ms and ${minimum.unknown} ms`).toBe(true)
}
