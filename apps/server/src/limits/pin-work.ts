import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { pinRules } from '@sallyport/contract/limits'
import { pinLimits } from '@sallyport/contract/server-limits'
import type { Work } from '@sallyport/contract/session-shapes'
import type { Attempts } from './attempts.ts'

interface Parts {
  readonly secret: Buffer
  readonly attempts: Attempts
  readonly now: () => number
}

/** Tasks that cost whoever tries PINs some seconds each. The server remembers only those that were solved. */
export function createPinWork({ secret, attempts, now }: Parts) {
  const signatureOf = (text: string, address: string): string =>
    createHmac('sha256', secret).update(`pin work\0${text}\0${address}`).digest('base64url')

  return {
    /** A task for this address alone, good for two minutes and for one try. */
    challenge(address: string): string {
      const text = `${now() + pinLimits.workMs}.${randomBytes(16).toString('base64url')}`
      return `${text}.${signatureOf(text, address)}`
    },

    /** Whether this is a solved task of this address that was not shown before. */
    async isDone({ challenge, nonce }: Work, address: string): Promise<boolean> {
      const [until = '', random = '', signature = ''] = challenge.split('.')
      const expected = Buffer.from(signatureOf(`${until}.${random}`, address))
      const shown = Buffer.from(signature)
      if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return false
      if (Number(until) <= now() || leadingZeroBits(`${challenge}.${nonce}`) < pinRules.workBits) return false
      const once = { points: 1, windowSeconds: pinLimits.workMs / 1000, guesses: true } as const
      const use = await attempts.allow(`pin work|${challenge}`, once)
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
