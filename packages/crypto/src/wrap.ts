import { toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { byteOfWrapType, envelopeVersion, parseEnvelope, type WrapType } from './envelope.ts'
import { CryptoError, malformed } from './errors.ts'
import { deriveFileKeys, type FileKeys } from './file-keys.ts'
import { open, seal } from './gcm.ts'
import type { HeaderLimits } from './header.ts'
import { deriveAesKey, deriveBytes, importRoot, type Root } from './hkdf.ts'
import { labels } from './labels.ts'

interface WrapFileKey {
  readonly fileKey: Uint8Array
  /** Derived from this very file key. */
  readonly keys: FileKeys
  readonly root: Root
  readonly wrapType: WrapType
}

interface OpenEnvelope {
  readonly envelope: string
  readonly root: Root
  readonly wrapType: WrapType
  readonly limits?: HeaderLimits
}

export interface OpenedEnvelope {
  readonly fileKey: Bytes
  readonly keys: FileKeys
}

const magic = utf8('EF1W')
const keyIdBytes = 16

const labelOf: Record<WrapType, string> = {
  account: labels.wrapAccount,
  share: labels.wrapShare,
  session: labels.wrapSession,
  portal: labels.wrapPortal,
}

/** The envelope of a file key, 200 characters, to be stored beside the file. */
export async function wrapFileKey({ fileKey, keys, root, wrapType }: WrapFileKey): Promise<string> {
  // An envelope around another file's key would make the file unreadable for ever, unnoticed until it is wanted.
  const { commit } = await deriveFileKeys(fileKey, keys.header)
  if (!equalBytes(commit, keys.commit)) throw malformed('These keys were not derived from this file key')

  const from = await importRoot(root)
  const keyId = await keyIdOf(from, wrapType)
  const key = await wrappingKey({ from, fileUid: keys.header.fileUid, wrapType })
  const publicPart = concatBytes(typeByte(wrapType), keys.encodedHeader, keyId, commit)
  const wrapped = await seal({ key, plain: fileKey, associated: concatBytes(magic, publicPart) })
  return toBase64url(concatBytes([envelopeVersion], publicPart, wrapped))
}

/**
 * Fails with `wrong-key` when another root wrapped the key (another account, or one from before a reset), and with
 * `damaged` when this root did but the envelope was altered.
 */
export async function openEnvelope({ envelope, root, wrapType, limits }: OpenEnvelope): Promise<OpenedEnvelope> {
  const parts = parseEnvelope(envelope, limits)
  if (parts.wrapType !== wrapType) throw malformed('The envelope is of another type')

  const from = await importRoot(root)
  const keyId = await keyIdOf(from, wrapType)
  if (!equalBytes(keyId, parts.keyId)) throw new CryptoError('wrong-key', 'Another key wrapped this file key')

  const key = await wrappingKey({ from, fileUid: parts.header.fileUid, wrapType })
  const associated = concatBytes(magic, typeByte(wrapType), parts.encodedHeader, parts.keyId, parts.commit)
  const fileKey = await open({ key, sealed: parts.wrappedKey, associated })
  if (!fileKey) throw new CryptoError('damaged', 'The envelope cannot be verified')

  const keys = await deriveFileKeys(fileKey, parts.header)
  if (!equalBytes(keys.commit, parts.commit)) throw new CryptoError('damaged', 'The envelope commits to another key')
  return { fileKey, keys }
}

/** A name of 16 bytes for a root, by which an envelope that it cannot open is told at once. Says nothing about the root. */
export const keyIdOf = (root: Root, wrapType: WrapType): Promise<Bytes> => keyIdOfUse(root, byteOfWrapType[wrapType])

/** As `keyIdOf`, for every use of a root that has a byte of its own. */
export async function keyIdOfUse(root: Root, use: number): Promise<Bytes> {
  const info = concatBytes(utf8(labels.keyId), [use])
  return deriveBytes({ from: await importRoot(root), salt: new Uint8Array(0), info }, keyIdBytes)
}

const typeByte = (wrapType: WrapType): readonly number[] => [byteOfWrapType[wrapType]]

const wrappingKey = ({ from, fileUid, wrapType }: { from: CryptoKey; fileUid: Bytes; wrapType: WrapType }) =>
  deriveAesKey({ from, salt: fileUid, info: utf8(labelOf[wrapType]) })
