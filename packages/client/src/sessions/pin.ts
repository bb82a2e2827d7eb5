import { pinRules } from '@sallyport/contract/limits'

const { smallest, largest } = pinRules

/** A uniformly random PIN. */
export const createPin = (): string => String(smallest + randomBelow(largest - smallest + 1))

/** A uniformly random code of six digits. */
export const createCode = (): string => String(randomBelow(1_000_000)).padStart(6, '0')

/** A uniformly random integer from 0, below the count. */
function randomBelow(count: number): number {
  /** The largest multiple of the count; values from here on would bias the result. */
  const unbiasedBound = Math.floor(2 ** 32 / count) * count
  for (;;) {
    const [value = unbiasedBound] = crypto.getRandomValues(new Uint32Array(1))
    if (value < unbiasedBound) return value % count
  }
}
