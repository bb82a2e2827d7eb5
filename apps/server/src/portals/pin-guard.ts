import { rateLimits } from '@sallyport/contract/limits'
import type { Attempts } from '../limits/attempts.ts'
import type { PinGuard } from './hub.ts'

/** Counts codes that led nowhere, by the address they came from. */
export function createPinGuard(attempts: Attempts): PinGuard {
  const keyOf = (address: string): string => `pin-misses:${address}`
  return {
    async mayTry(address) {
      const { allowed } = await attempts.allow(keyOf(address), rateLimits.pinMissesPerAddress)
      if (allowed) await attempts.forgive(keyOf(address))
      return allowed
    },
    async missed(address) {
      await attempts.allow(keyOf(address), rateLimits.pinMissesPerAddress)
    },
  }
}
