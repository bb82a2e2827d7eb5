import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashOfToken } from '../token-hash.ts'

const tokenCharacters = 22

/** The token of a share: only its hash is stored, and yet the owner can be told it again. */
export const tokenOf = (secret: Buffer, shareId: string): string =>
  createHmac('sha256', secret).update(shareId).digest('base64url').slice(0, tokenCharacters)

/** Whether a proof is the one the share was made with; takes the same time for all that are not. */
export function isProof(proof: string | undefined, proofHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOfToken(proof ?? '')), Buffer.from(proofHash))
}
