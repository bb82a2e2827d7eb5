import { recordOverheadBytes } from '@sallyport/crypto'
import { parseEnvelope } from '@sallyport/crypto/envelope'

const nonceBytes = 12

/** The received sealed records of one chunk, complete or partial. */
interface ReceivedChunk {
  readonly envelope: string
  readonly bytes: Uint8Array
}

/**
 * Detects nonce reuse: different records of one file that were sealed with the same nonce. From two of them a server
 * learns the XOR of their contents and can forge further records.
 */
export function createNonceCheck() {
  const known = new Map<string, Uint8Array>()
  let isReused = false
  return {
    isReused: () => isReused,
    add({ envelope, bytes }: ReceivedChunk): void {
      const recordLength = parseEnvelope(envelope).header.recordBytes + recordOverheadBytes
      for (let start = 0; start + nonceBytes < bytes.length; start += recordLength) {
        const record = bytes.slice(start, start + recordLength)
        const nonce = `${envelope} ${record.slice(0, nonceBytes)}`
        const earlier = known.get(nonce)
        if (earlier && !isSamePrefix(earlier, record)) isReused = true
        known.set(nonce, record)
      }
    },
  }
}

const isSamePrefix = (one: Uint8Array, other: Uint8Array): boolean =>
  one.subarray(0, other.length).every((byte, at) => byte === other[at])
