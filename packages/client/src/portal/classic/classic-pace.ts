import { classicPortalLimits } from '@sallyport/contract/limits'

type SizeClass = (typeof classicPortalLimits.classes)[number]

const calmMs = 2000
const shortestDelayMs = 1
const shrink = 0.8

/** The figures a file of this size is sent with. */
export function classOf(bytes: number): SizeClass {
  const found = classicPortalLimits.classes.find(({ upToBytes }) => bytes <= upToBytes)
  if (!found) throw new RangeError('A file has a size')
  return found
}

/**
 * How long to wait before the next chunk. The delay of the specification grows up to eightfold while more than half of
 * the buffer is full; after two calm seconds it shrinks by a fifth each second, and returns at the first pressure.
 */
export function createPace({ delayMs, bufferBytes }: SizeClass, startedAt: number) {
  let scale = 1
  let calmSince = startedAt
  let current: number = delayMs
  let shrunkAt = startedAt

  return (now: number, bufferedBytes: number): number => {
    if (bufferedBytes > bufferBytes / 2) {
      scale = Math.min(classicPortalLimits.mostDelayScale, scale * 2)
      current = delayMs
      calmSince = now
      return delayMs * scale
    }
    scale = Math.max(1, scale / 2)
    if (now - calmSince >= calmMs && now - shrunkAt >= 1000) {
      shrunkAt = now
      current = Math.max(shortestDelayMs, current * shrink)
    }
    return current * scale
  }
}
