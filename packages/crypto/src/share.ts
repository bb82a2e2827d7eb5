import { fromBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import { sha256 } from './hash.ts'
import { deriveBytes, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { keyBytes, requireSecret } from './secret.ts'

export const fragmentVersion = 1
const checkBytes = 3
/** The length of a share key in the fragment of a link. */
export const shareFragmentCharacters = 48

/** Detects a truncated link (`truncated`) and a mistyped one (`malformed`) before any request to the server. */
export async function decodeShareFragment(text: string): Promise<Bytes> {
  if (text.length < shareFragmentCharacters) throw new CryptoError('truncated', 'The link is incomplete')
  const bytes = fromBase64url(text)
  const versioned = bytes.subarray(0, 1 + keyBytes)
  if (!equalBytes(bytes.subarray(1 + keyBytes), await checksumOf(versioned))) throw malformed('The link is mistyped')
  if (versioned[0] !== fragmentVersion) throw unsupported('The link is of an unknown version')
  return requireSecret(versioned.slice(1))
}

/** Proves possession of the share key without revealing it; sent in `X-Share-Proof`. */
export async function shareProof(shareKey: Uint8Array): Promise<Bytes> {
  return deriveBytes({ from: await importRootKey(shareKey), salt: new Uint8Array(0), info: utf8(labels.shareProof) })
}

export const checksumOf = async (versioned: Uint8Array): Promise<Bytes> =>
  (await sha256(concatBytes(utf8(labels.shareLink), versioned))).subarray(0, checkBytes)
