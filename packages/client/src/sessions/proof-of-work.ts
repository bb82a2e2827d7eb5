import { pinRules } from '@sallyport/contract/limits'
import type { ProofOfWork } from '@sallyport/contract/session-shapes'

/** Nonces that are tried between two checks of the signal. */
const batchSize = 512

/**
 * Finds a nonce for which the hash has the required number of leading zero bits. Takes about a second: little for one
 * join, much for guessing.
 */
export async function solveChallenge(challenge: string, signal?: AbortSignal): Promise<ProofOfWork> {
  const encoder = new TextEncoder()
  for (let start = 0; ; start += batchSize) {
    signal?.throwIfAborted()
    const nonces = Array.from({ length: batchSize }, (_, index) => String(start + index))
    const hashes = await Promise.all(
      nonces.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${nonce}`))),
    )
    const found = hashes.findIndex((hash) => Math.clz32(new DataView(hash).getUint32(0)) >= pinRules.workBits)
    if (found >= 0) return { challenge, nonce: nonces[found] ?? '' }
  }
}
