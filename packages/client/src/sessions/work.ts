import { pinRules } from '@sallyport/contract/limits'
import type { Work } from '@sallyport/contract/session-shapes'

/** Tried between two looks at whether anybody still waits. */
const batch = 512

/** Finds a number that makes the challenge hash to so many leading zero bits: about a second, where guessing takes many. */
export async function doWork(challenge: string, signal?: AbortSignal): Promise<Work> {
  const encoder = new TextEncoder()
  for (let start = 0; ; start += batch) {
    signal?.throwIfAborted()
    const nonces = Array.from({ length: batch }, (_, index) => String(start + index))
    const hashes = await Promise.all(
      nonces.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${nonce}`))),
    )
    const found = hashes.findIndex((hash) => Math.clz32(new DataView(hash).getUint32(0)) >= pinRules.workBits)
    if (found >= 0) return { challenge, nonce: nonces[found] ?? '' }
  }
}
