export type ChartUnit = 'count' | 'bytes'

const mostSteps = 3
const largestByteUnit = 3

/**
 * Returns the ticks of an axis that starts at 0 and ends at or above the highest value: at most three equal steps, each 1,
 * 2 or 5 times a power of ten.
 */
export function axisTicks(highest: number, unit: ChartUnit): readonly number[] {
  const scale = unit === 'bytes' ? byteScale(highest) : 1
  const step = roundStep(highest / scale, scale === 1 ? 1 : 0) * scale
  const steps = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: steps + 1 }, (_, index) => index * step)
}

/** The unit of the labels in bytes. From 900 on it is the next one, so that no label exceeds 1023. */
function byteScale(highest: number): number {
  const exponent = Math.floor(Math.log2((Math.max(1, highest) * 1024) / 900) / 10)
  return 1024 ** Math.min(largestByteUnit, exponent)
}

/** The smallest round step of which three reach the value. */
function roundStep(value: number, smallest: number): number {
  const needed = Math.max(value / mostSteps, smallest)
  const power = 10 ** Math.floor(Math.log10(needed))
  const factor = [1, 2, 5].find((one) => one * power * mostSteps >= value && one * power >= smallest) ?? 10
  return factor * power
}
