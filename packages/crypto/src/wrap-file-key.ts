import { toBase64url } from './base64url.ts'
import { concatBytes, equalBytes } from './bytes.ts'
import { envelopeVersion, type WrapType } from './envelope.ts'
import { malformed } from './errors.ts'
import { deriveFileKeys, type FileKeys } from './file-keys.ts'
import { seal } from './gcm-seal.ts'
import { importRootKey, type RootKey } from './hkdf.ts'
import { deriveWrappingKey, envelopeMagic, keyIdOf, typeByte } from './wrap.ts'

interface WrapFileKeyInput {
  readonly fileKey: Uint8Array
  /** Derived from this file key. */
  readonly keys: FileKeys
  readonly root: RootKey
  readonly wrapType: WrapType
}

/** Creates the envelope of a file key, 200 characters, to be stored with the file. */
export async function wrapFileKey({ fileKey, keys, root, wrapType }: WrapFileKeyInput): Promise<string> {
  // An envelope for another file's key would make the file unreadable forever, unnoticed until a download.
  const { commit } = await deriveFileKeys(fileKey, keys.header)
  if (!equalBytes(commit, keys.commit)) throw malformed('These keys were not derived from this file key')

  const from = await importRootKey(root)
  const keyId = await keyIdOf(from, wrapType)
  const key = await deriveWrappingKey({ from, fileUid: keys.header.fileUid, wrapType })
  const publicPart = concatBytes(typeByte(wrapType), keys.encodedHeader, keyId, commit)
  const wrapped = await seal({ key, plain: fileKey, aad: concatBytes(envelopeMagic, publicPart) })
  return toBase64url(concatBytes([envelopeVersion], publicPart, wrapped))
}
