import { fromBase64url } from './base64url.ts'
import { type Bytes, concatBytes, decodeUtf8, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { open } from './gcm.ts'
import { unpad } from './padding.ts'

export interface FileName {
  readonly name: string
  readonly mimeType: string
  /** Milliseconds since 1970; earlier times are stored as 0. */
  readonly lastModified: number
}

export type NameKeys = Pick<FileKeys, 'meta' | 'encodedHeader' | 'commit'>

/** In UTF-8, folders included. */
export const longestNameBytes = 1024
export const longestMimeTypeBytes = 127

export const namePrefix = 'ef1.'
const anyPrefix = /^ef[0-9]+\./
const magic = utf8('EF1N')
export const nameVersion = 1

/** Opens a name, in NFC. It may contain anything: render it as text, and save under `safeFileName`. */
export async function openName(sealedName: string, keys: NameKeys): Promise<FileName> {
  if (!sealedName.startsWith(namePrefix)) {
    throw anyPrefix.test(sealedName)
      ? unsupported('The name is of an unknown version')
      : malformed('This is not a sealed name')
  }
  const sealed = fromBase64url(sealedName.slice(namePrefix.length))
  const plain = await open({ key: keys.meta, sealed, aad: nameAad(keys) })
  if (!plain) throw new CryptoError('damaged', 'The name cannot be verified')
  return decodeName(unpad(plain))
}

export const nameAad = ({ encodedHeader, commit }: NameKeys): Bytes => concatBytes(magic, encodedHeader, commit)

function decodeName(encoded: Bytes): FileName {
  if (encoded[0] !== nameVersion) throw unsupported('The name is of an unknown version')
  try {
    const view = viewOf(encoded)
    const nameEnd = 3 + view.getUint16(1)
    const mimeStart = nameEnd + 1
    const mimeEnd = mimeStart + view.getUint8(nameEnd)
    const time = Number(view.getBigUint64(mimeEnd))
    const tooLong = nameEnd - 3 > longestNameBytes || mimeEnd - mimeStart > longestMimeTypeBytes
    if (encoded.length !== mimeEnd + 8 || tooLong || !Number.isSafeInteger(time))
      throw malformed('The name has invalid lengths')
    const name = decodeUtf8(encoded.subarray(3, nameEnd)).normalize('NFC')
    return { name, mimeType: decodeUtf8(encoded.subarray(mimeStart, mimeEnd)), lastModified: time }
  } catch (error) {
    if (error instanceof CryptoError) throw error
    throw malformed('The name is not valid UTF-8')
  }
}
