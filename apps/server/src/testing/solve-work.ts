import { hash } from 'node:crypto'
import type { ProofOfWork } from '@sallyport/contract/session-shapes'

/** Solves the proof of work that the server requires from visitors while PINs are being guessed. */
export async function solve(challenge: string, bits: number): Promise<ProofOfWork> {
  const bound = 2 ** (32 - bits)
  for (let nonce = 0; ; nonce += 1) {
    const digest = hash('sha256', `${challenge}.${nonce}`, 'buffer')
    if (digest.readUInt32BE(0) < bound) return { challenge, nonce: String(nonce) }
  }
}
