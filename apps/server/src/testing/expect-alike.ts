import { expect } from 'vitest'

const pairs = 200
const boundMs = 5
/** Of both sides' quickest answers. */
const [fewestPairs, mostPairs] = [5, 30]

/** Each asks once and answers how many milliseconds that took. */
interface Sides {
  readonly known: () => Promise<number>
  readonly unknown: () => Promise<number>
}

const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
const median = (times: readonly number[]): number => share(times, 1 / 2)

/** How far a busy machine scatters one and the same answer: a quarter of the range that half of the times lie in. */
const scatter = (times: readonly number[]): number => (share(times, 3 / 4) - share(times, 1 / 4)) / 4

/**
 * By how much the medians of both sides lie further apart than they may after 200 pairs, of which so many are asked at
 * once. The order turns with every pair, so that whatever else the machine does meets both sides alike.
 */
async function tooFarApart({ known, unknown }: Sides, atOnce: number, between: () => unknown): Promise<number> {
  const times: Record<keyof Sides, number[]> = { known: [], unknown: [] }
  const pair = async (place: number): Promise<void> => {
    const sides = place % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    const ask = async (side: keyof Sides) => times[side].push(await (side === 'known' ? known : unknown)())
    if (atOnce > 1) await Promise.all(sides.map(ask))
    else for (const side of sides) await ask(side)
  }
  for (let start = 0; start < pairs; start += atOnce) {
    await between()
    await Promise.all(Array.from({ length: atOnce }, (_, place) => pair(start + place)))
  }
  const bound = Math.max(boundMs, scatter(times.known))
  return Math.abs(median(times.known) - median(times.unknown)) - bound
}

/**
 * Expects that over 200 pairs both sides take as long, `between` being called before each lot. A busy machine may part two
 * medians by chance, but not three times in a row.
 */
export async function expectAlike(sides: Sides, atOnce: number, between: () => unknown): Promise<void> {
  const beyond: number[] = []
  while (beyond.length < 3 && beyond.every((ms) => ms >= 0)) beyond.push(await tooFarApart(sides, atOnce, between))
  expect(Math.min(...beyond), `${beyond.join(', ')} ms beyond the bound`).toBeLessThan(0)
}

/**
 * Expects the quickest answers of both sides to lie this close together. Whatever else the machine does only ever makes one
 * longer, so more pairs are asked where they do not after five, and none that is truly slower comes closer by that.
 */
export async function expectQuickestAlike(
  { known, unknown }: Sides,
  isClose: (known: number, unknown: number) => boolean,
): Promise<void> {
  const quickest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  const areClose = () => isClose(quickest.known, quickest.unknown)
  for (let pair = 0; pair < fewestPairs || (pair < mostPairs && !areClose()); pair += 1) {
    quickest.known = Math.min(quickest.known, await known())
    quickest.unknown = Math.min(quickest.unknown, await unknown())
  }
  expect(areClose(), `${quickest.known} ms and ${quickest.unknown} ms`).toBe(true)
}
