import { recordOverheadBytes } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'

const nonceBytes = 12

/** Sealed records of one chunk as they arrived, whole or in part. */
interface ReceivedChunk {
  readonly envelope: string
  readonly bytes: Uint8Array
}

/**
 * Looks for records of one file that were sealed with the same nonce and differ: from two of them a server learns how
 * their contents differ, and can make further ones.
 */
export function createNonceCheck() {
  const known = new Map<string, Uint8Array>()
  let isReused = false
  return {
    isReused: () => isReused,
    add({ envelope, bytes }: ReceivedChunk): void {
      const step = parseEnvelope(envelope).header.recordBytes + recordOverheadBytes
      for (let start = 0; start + nonceBytes < bytes.length; start += step) {
        const record = bytes.slice(start, start + step)
        const nonce = `${envelope} ${record.slice(0, nonceBytes)}`
        const earlier = known.get(nonce)
        if (earlier && !isSameStart(earlier, record)) isReused = true
        known.set(nonce, record)
      }
    },
  }
}

const isSameStart = (one: Uint8Array, other: Uint8Array): boolean =>
  one.subarray(0, other.length).every((byte, at) => byte === other[at])
