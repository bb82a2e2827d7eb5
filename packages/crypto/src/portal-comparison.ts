import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { lengthPrefixed } from './cpace/strings.ts'
import { CryptoError, malformed } from './errors.ts'
import { sha256 } from './hash.ts'
import { deriveBytes, importHkdfSecret } from './hkdf.ts'
import { randomBytes } from './random.ts'

/** The public values that one device contributes to a comparison. */
export interface Contribution {
  readonly nonce: Bytes
  /** An uncompressed P-256 public key. */
  readonly key: Bytes
}

export interface ComparisonInput {
  readonly creator: Contribution
  readonly joiner: Contribution
  /** The connection as this device sees it; equal on both devices only if there is no man in the middle. */
  readonly channelBinding: Uint8Array
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const nonceBytes = 16

/**
 * Starts a short authentication string (SAS) comparison between two unauthenticated devices. The creator sends its
 * commitment, the joiner its contribution, and then the creator its own: a man in the middle must choose its values
 * before it can see what people will compare.
 */
export async function startComparison() {
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const key = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const own: Contribution = { nonce: randomBytes(nonceBytes), key }
  return {
    own,
    /** Derives bytes for one label. Throws `malformed` for an invalid contribution. */
    async finish({
      creator,
      joiner,
      channelBinding,
    }: ComparisonInput): Promise<(label: string, length?: number) => Promise<Bytes>> {
      const peer = equalBytes(creator.key, key) ? joiner : creator
      const from = await importHkdfSecret(await deriveSharedSecret(pair.privateKey, peer.key))
      const salt = lengthPrefixed(creator.nonce, joiner.nonce)
      const transcript = lengthPrefixed(creator.key, joiner.key, channelBinding)
      return (label, length) =>
        deriveBytes({ from, salt, info: concatBytes(lengthPrefixed(utf8(label)), transcript) }, length)
    },
  }
}

export const commitTo = ({ nonce, key }: Contribution): Promise<Bytes> => sha256(lengthPrefixed(nonce, key))

/** Throws `wrong-key` for a contribution that does not match its commitment. */
export async function verifyCommitment(commitment: Uint8Array, contribution: Contribution): Promise<void> {
  if (contribution.nonce.length !== nonceBytes) throw malformed('A nonce has 16 bytes')
  if (!equalBytes(await commitTo(contribution), commitment)) {
    throw new CryptoError('wrong-key', 'The contribution does not match its commitment')
  }
}

async function deriveSharedSecret(privateKey: CryptoKey, peerKey: Uint8Array): Promise<Bytes> {
  try {
    const publicKey = await crypto.subtle.importKey('raw', new Uint8Array(peerKey), curve, false, [])
    return new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256))
  } catch {
    throw malformed('The peer sent an invalid public key')
  }
}
