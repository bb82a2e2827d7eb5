import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { lengthPrefixed } from './cpace/strings.ts'
import { CryptoError, malformed } from './errors.ts'
import { sha256 } from './hash.ts'
import { deriveBytes, importSecret } from './hkdf.ts'
import { randomBytes } from './random.ts'

/** What one device puts into a comparison; neither part is secret. */
export interface Contribution {
  readonly nonce: Bytes
  /** A point of P-256, uncompressed. */
  readonly key: Bytes
}

export interface ComparisonEnds {
  readonly creator: Contribution
  readonly joiner: Contribution
  /** What this device sees of the line to the other one; the same on both only where nobody stands in between. */
  readonly line: Uint8Array
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const nonceBytes = 16

/**
 * Begins a comparison between two devices that have proved nothing to each other. The creator tells its commitment, the
 * joiner its contribution, and the creator then its own: whoever stands in between has chosen before it can see what
 * people will compare.
 */
export async function startComparison() {
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const key = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const own: Contribution = { nonce: randomBytes(nonceBytes), key }
  return {
    own,
    /** Derives bytes for one purpose. Refuses with `malformed` a contribution that no honest device makes. */
    async finish({
      creator,
      joiner,
      line,
    }: ComparisonEnds): Promise<(label: string, length?: number) => Promise<Bytes>> {
      const other = equalBytes(creator.key, key) ? joiner : creator
      const from = await importSecret(await agree(pair.privateKey, other.key))
      const salt = lengthPrefixed(creator.nonce, joiner.nonce)
      const seen = lengthPrefixed(creator.key, joiner.key, line)
      return (label, length) =>
        deriveBytes({ from, salt, info: concatBytes(lengthPrefixed(utf8(label)), seen) }, length)
    },
  }
}

export const commitmentTo = ({ nonce, key }: Contribution): Promise<Bytes> => sha256(lengthPrefixed(nonce, key))

/** Refuses with `wrong-key` a contribution that is not the one its device had committed itself to. */
export async function requireCommitment(commitment: Uint8Array, told: Contribution): Promise<void> {
  if (told.nonce.length !== nonceBytes) throw malformed('A nonce has 16 bytes')
  if (!equalBytes(await commitmentTo(told), commitment)) {
    throw new CryptoError('wrong-key', 'The contribution was changed after it was committed to')
  }
}

async function agree(own: CryptoKey, other: Uint8Array): Promise<Bytes> {
  try {
    const foreign = await crypto.subtle.importKey('raw', new Uint8Array(other), curve, false, [])
    return new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: foreign }, own, 256))
  } catch {
    throw malformed('The other device sent no usable key')
  }
}
