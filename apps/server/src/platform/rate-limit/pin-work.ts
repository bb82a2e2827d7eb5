import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { pinRules } from '@sallyport/contract/limits'
import { pinLimits } from '@sallyport/contract/server-limits'
import type { ProofOfWork } from '@sallyport/contract/session-shapes'
import type { RateLimiter } from './rate-limiter.ts'

interface PinWorkDeps {
  readonly secret: Buffer
  readonly rateLimiter: RateLimiter
  readonly now: () => number
}

/** Proof-of-work challenges that cost the caller some seconds per PIN. The server stores only the solved ones. */
export function createPinWork({ secret, rateLimiter, now }: PinWorkDeps) {
  const signatureOf = (text: string, address: string): string =>
    createHmac('sha256', secret).update(`pin work\0${text}\0${address}`).digest('base64url')

  return {
    /** Creates a challenge for this address, valid for two minutes and one try. */
    challenge(address: string): string {
      const text = `${now() + pinLimits.workMs}.${randomBytes(16).toString('base64url')}`
      return `${text}.${signatureOf(text, address)}`
    },

    /** Whether this is a solved challenge of this address that was not used before. */
    async isSolved({ challenge, nonce }: ProofOfWork, address: string): Promise<boolean> {
      const [until = '', random = '', signature = ''] = challenge.split('.')
      const expected = Buffer.from(signatureOf(`${until}.${random}`, address))
      const provided = Buffer.from(signature)
      if (provided.length !== expected.length || !timingSafeEqual(provided, expected)) return false
      if (Number(until) <= now() || leadingZeroBits(`${challenge}.${nonce}`) < pinRules.workBits) return false
      const once = { points: 1, windowSeconds: pinLimits.workMs / 1000, guesses: true } as const
      const use = await rateLimiter.allow(`pin work|${challenge}`, once)
      return use.allowed
    },
  }
}

function leadingZeroBits(text: string): number {
  const hash = createHash('sha256').update(text).digest()
  const zeroBytes = hash.findIndex((byte) => byte !== 0)
  return zeroBytes < 0 ? 256 : zeroBytes * 8 + Math.clz32(hash[zeroBytes] ?? 0) - 24
}

export type PinWork = ReturnType<typeof createPinWork>
