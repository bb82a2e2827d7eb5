import { fromBase64url, toBase64url } from './base64url.ts'
import { type Bytes, concatBytes, decodeUtf8, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed, unsupported } from './errors.ts'
import type { FileKeys } from './file-keys.ts'
import { open, seal } from './gcm.ts'
import { pad, unpad } from './padding.ts'

export interface FileName {
  readonly name: string
  readonly mimeType: string
  /** Milliseconds since 1970; earlier times are stored as 0. */
  readonly lastModified: number
}

type NameKeys = Pick<FileKeys, 'meta' | 'encodedHeader' | 'commit'>

/** In UTF-8, folders included. */
export const longestNameBytes = 1024
const longestMimeTypeBytes = 127

const prefix = 'ef1.'
const anyPrefix = /^ef[0-9]+\./
const magic = utf8('EF1N')
const version = 1

/**
 * Seals the name, type and time of a file as one text for `X-File-Name`. Throws `too-long` for a name that is too long.
 */
export async function sealName(fileName: FileName, keys: NameKeys): Promise<string> {
  const sealed = await seal({ key: keys.meta, plain: pad(encodeName(fileName)), aad: nameAad(keys) })
  return prefix + toBase64url(sealed)
}

/** Opens a name, in NFC. It may contain anything: render it as text, and save under `safeFileName`. */
export async function openName(sealedName: string, keys: NameKeys): Promise<FileName> {
  if (!sealedName.startsWith(prefix)) {
    throw anyPrefix.test(sealedName)
      ? unsupported('The name is of an unknown version')
      : malformed('This is not a sealed name')
  }
  const sealed = fromBase64url(sealedName.slice(prefix.length))
  const plain = await open({ key: keys.meta, sealed, aad: nameAad(keys) })
  if (!plain) throw new CryptoError('damaged', 'The name cannot be verified')
  return decodeName(unpad(plain))
}

const nameAad = ({ encodedHeader, commit }: NameKeys): Bytes => concatBytes(magic, encodedHeader, commit)

function encodeName({ name, mimeType, lastModified }: FileName): Bytes {
  const nameText = utf8(name.normalize('NFC'))
  const mimeText = utf8(mimeType)
  if (nameText.length > longestNameBytes) throw new CryptoError('too-long', 'A file name has at most 1,024 bytes')
  if (mimeText.length > longestMimeTypeBytes) throw new CryptoError('too-long', 'A file type has at most 127 bytes')
  const time = Math.max(0, Math.trunc(lastModified))
  if (!Number.isSafeInteger(time)) throw malformed('The time of the file is out of range')

  const encoded = new Uint8Array(12 + nameText.length + mimeText.length)
  const view = viewOf(encoded)
  encoded[0] = version
  view.setUint16(1, nameText.length)
  encoded.set(nameText, 3)
  encoded[3 + nameText.length] = mimeText.length
  encoded.set(mimeText, 4 + nameText.length)
  view.setBigUint64(4 + nameText.length + mimeText.length, BigInt(time))
  return encoded
}

function decodeName(encoded: Bytes): FileName {
  if (encoded[0] !== version) throw unsupported('The name is of an unknown version')
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
