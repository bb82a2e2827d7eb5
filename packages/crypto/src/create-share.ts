import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, utf8 } from './bytes.ts'
import { malformed } from './errors.ts'
import { fileUidBytes } from './header.ts'
import { deriveBytes, importRootKey, type RootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { createKey, requireSecret } from './secret.ts'
import { checksumOf, fragmentVersion } from './share.ts'

/** Creates a random share key, for callers without an account key. */
export const createShareKey = (): Bytes => createKey()

/** Derives the share key of a file: deterministic, so that copying a link again returns the same link. */
export async function deriveShareKey(accountKey: RootKey, fileUid: Uint8Array): Promise<Bytes> {
  if (fileUid.length !== fileUidBytes) throw malformed('A file id has 16 bytes')
  return deriveBytes({ from: await importRootKey(accountKey), salt: fileUid, info: utf8(labels.shareKey) })
}

/** Encodes the share key as 48 characters for the fragment of a link, which browsers do not send to servers. */
export async function encodeShareFragment(shareKey: Uint8Array): Promise<string> {
  const versioned = concatBytes([fragmentVersion], requireSecret(shareKey))
  return toBase64url(concatBytes(versioned, await checksumOf(versioned)))
}
