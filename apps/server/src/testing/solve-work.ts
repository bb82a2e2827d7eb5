import { createHash } from 'node:crypto'
import type { Work } from '@sallyport/contract/session-shapes'

/** Does the work that a server asks of strangers while it is being guessed at. */
export async function solve(challenge: string, bits: number): Promise<Work> {
  const bound = 2 ** (32 - bits)
  for (let nonce = 0; ; nonce += 1) {
    const hash = createHash('sha256').update(`${challenge}.${nonce}`).digest()
    if (hash.readUInt32BE(0) < bound) return { challenge, nonce: String(nonce) }
  }
}
