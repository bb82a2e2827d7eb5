import { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
import { byteOfWrapType, parseEnvelope, type WrapType } from './envelope.ts'
import { CryptoError, malformed } from './errors.ts'
import { deriveFileKeys, type FileKeys } from './file-keys.ts'
import { open } from './gcm.ts'
import type { HeaderLimits } from './header.ts'
import { deriveAesKey, deriveBytes, importRootKey, type RootKey } from './hkdf.ts'
import { labels } from './labels.ts'

interface OpenEnvelopeInput {
  readonly envelope: string
  readonly root: RootKey
  readonly wrapType: WrapType
  readonly limits?: HeaderLimits
}

export interface OpenedEnvelope {
  readonly fileKey: Bytes
  readonly keys: FileKeys
}

export const envelopeMagic = utf8('EF1W')
const keyIdBytes = 16

const labelOf: Record<WrapType, string> = {
  account: labels.wrapAccount,
  share: labels.wrapShare,
  session: labels.wrapSession,
  portal: labels.wrapPortal,
}

/**
 * Throws `wrong-key` if another root key wrapped the file key (another account, or one before a reset), and `damaged`
 * if this one did but the envelope was altered.
 */
export async function openEnvelope({ envelope, root, wrapType, limits }: OpenEnvelopeInput): Promise<OpenedEnvelope> {
  const parts = parseEnvelope(envelope, limits)
  if (parts.wrapType !== wrapType) throw malformed('The envelope is of another type')

  const from = await importRootKey(root)
  const keyId = await keyIdOf(from, wrapType)
  if (!equalBytes(keyId, parts.keyId)) throw new CryptoError('wrong-key', 'Another key wrapped this file key')

  const key = await deriveWrappingKey({ from, fileUid: parts.header.fileUid, wrapType })
  const aad = concatBytes(envelopeMagic, typeByte(wrapType), parts.encodedHeader, parts.keyId, parts.commit)
  const fileKey = await open({ key, sealed: parts.wrappedKey, aad })
  if (!fileKey) throw new CryptoError('damaged', 'The envelope cannot be verified')

  const keys = await deriveFileKeys(fileKey, parts.header)
  if (!equalBytes(keys.commit, parts.commit)) throw new CryptoError('damaged', 'The envelope commits to another key')
  return { fileKey, keys }
}

/**
 * A 16-byte id of a root key, which shows at once that it cannot open an envelope. Reveals nothing about the root key.
 */
export const keyIdOf = (root: RootKey, wrapType: WrapType): Promise<Bytes> => keyIdOfUse(root, byteOfWrapType[wrapType])

/** Like `keyIdOf`, for any use of a root key that has its own byte. */
export async function keyIdOfUse(root: RootKey, use: number): Promise<Bytes> {
  const info = concatBytes(utf8(labels.keyId), [use])
  return deriveBytes({ from: await importRootKey(root), salt: new Uint8Array(0), info }, keyIdBytes)
}

export const typeByte = (wrapType: WrapType): readonly number[] => [byteOfWrapType[wrapType]]

export const deriveWrappingKey = ({
  from,
  fileUid,
  wrapType,
}: {
  from: CryptoKey
  fileUid: Bytes
  wrapType: WrapType
}) => deriveAesKey({ from, salt: fileUid, info: utf8(labelOf[wrapType]) })
