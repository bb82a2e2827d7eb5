import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import { sha256 } from './hash.ts'
import { fileUidBytes } from './header.ts'
import { deriveBytes, importRootKey, type RootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'

const version = 1
const checkBytes = 3
const fragmentCharacters = 48

/** Creates a random share key, for callers without an account key. */
export const createShareKey = (): Bytes => createKey()

/** Derives the share key of a file: deterministic, so that copying a link again returns the same link. */
export async function deriveShareKey(accountKey: RootKey, fileUid: Uint8Array): Promise<Bytes> {
  if (fileUid.length !== fileUidBytes) throw malformed('A file id has 16 bytes')
  return deriveBytes({ from: await importRootKey(accountKey), salt: fileUid, info: utf8(labels.shareKey) })
}

/** Encodes the share key as 48 characters for the fragment of a link, which browsers do not send to servers. */
export async function encodeShareFragment(shareKey: Uint8Array): Promise<string> {
  const versioned = concatBytes([version], requireSecret(shareKey))
  return toBase64url(concatBytes(versioned, await checksumOf(versioned)))
}

/** Detects a truncated link (`truncated`) and a mistyped one (`malformed`) before any request to the server. */
export async function decodeShareFragment(text: string): Promise<Bytes> {
  if (text.length < fragmentCharacters) throw new CryptoError('truncated', 'The link is incomplete')
  const bytes = fromBase64url(text)
  const versioned = bytes.subarray(0, 1 + keyBytes)
  if (!equalBytes(bytes.subarray(1 + keyBytes), await checksumOf(versioned))) throw malformed('The link is mistyped')
  if (versioned[0] !== version) throw unsupported('The link is of an unknown version')
  return requireSecret(versioned.slice(1))
}

/** Proves possession of the share key without revealing it; sent in `X-Share-Proof`. */
export async function shareProof(shareKey: Uint8Array): Promise<Bytes> {
  return deriveBytes({ from: await importRootKey(shareKey), salt: new Uint8Array(0), info: utf8(labels.shareProof) })
}

const checksumOf = async (versioned: Uint8Array): Promise<Bytes> =>
  (await sha256(concatBytes(utf8(labels.shareLink), versioned))).subarray(0, checkBytes)
