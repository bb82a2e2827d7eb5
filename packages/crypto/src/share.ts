import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import { sha256 } from './hash.ts'
import { fileUidBytes } from './header.ts'
import { deriveBytes, importRoot, type Root } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey, keyBytes, requireSecret } from './secret.ts'

const version = 1
const checkBytes = 3
const fragmentCharacters = 48

/** A random share key, for whoever has no account key to derive one from. */
export const createShareKey = (): Bytes => createKey()

/** The share key of a file: the same each time, so that copying a link again gives the same link. */
export async function deriveShareKey(accountKey: Root, fileUid: Uint8Array): Promise<Bytes> {
  if (fileUid.length !== fileUidBytes) throw malformed('A file id has 16 bytes')
  return deriveBytes({ from: await importRoot(accountKey), salt: fileUid, info: utf8(labels.shareKey) })
}

/** The share key as 48 characters for the fragment of a link, which no browser sends to a server. */
export async function encodeShareFragment(shareKey: Uint8Array): Promise<string> {
  const versioned = concatBytes([version], requireSecret(shareKey))
  return toBase64url(concatBytes(versioned, await checkOf(versioned)))
}

/** Notices a cut link (`truncated`) and a mistyped one (`malformed`) before anything is asked of the server. */
export async function decodeShareFragment(text: string): Promise<Bytes> {
  if (text.length < fragmentCharacters) throw new CryptoError('truncated', 'The link is incomplete')
  const bytes = fromBase64url(text)
  const versioned = bytes.subarray(0, 1 + keyBytes)
  if (!equalBytes(bytes.subarray(1 + keyBytes), await checkOf(versioned))) throw malformed('The link is mistyped')
  if (versioned[0] !== version) throw unsupported('The link is of an unknown version')
  return requireSecret(versioned.slice(1))
}

/** Shows that somebody holds the share key without showing the key: goes into `X-Share-Proof`. */
export async function shareProof(shareKey: Uint8Array): Promise<Bytes> {
  return deriveBytes({ from: await importRoot(shareKey), salt: new Uint8Array(0), info: utf8(labels.shareProof) })
}

const checkOf = async (versioned: Uint8Array): Promise<Bytes> =>
  (await sha256(concatBytes(utf8(labels.shareLink), versioned))).subarray(0, checkBytes)
