import { toBase64url } from './base64url.ts'
import { type Bytes, utf8, viewOf } from './bytes.ts'
import { CryptoError, malformed } from './errors.ts'
import { seal } from './gcm-seal.ts'
import {
  type FileName,
  longestMimeTypeBytes,
  longestNameBytes,
  type NameKeys,
  nameAad,
  namePrefix,
  nameVersion,
} from './name.ts'
import { pad } from './padding.ts'

/**
 * Seals the name, type and time of a file as one text for `X-File-Name`. Throws `too-long` for a name that is too long.
 */
export async function sealName(fileName: FileName, keys: NameKeys): Promise<string> {
  const sealed = await seal({ key: keys.meta, plain: pad(encodeName(fileName)), aad: nameAad(keys) })
  return namePrefix + toBase64url(sealed)
}

function encodeName({ name, mimeType, lastModified }: FileName): Bytes {
  const nameText = utf8(name.normalize('NFC'))
  const mimeText = utf8(mimeType)
  if (nameText.length > longestNameBytes) throw new CryptoError('too-long', 'A file name has at most 1,024 bytes')
  if (mimeText.length > longestMimeTypeBytes) throw new CryptoError('too-long', 'A file type has at most 127 bytes')
  const time = Math.max(0, Math.trunc(lastModified))
  if (!Number.isSafeInteger(time)) throw malformed('The time of the file is out of range')

  const encoded = new Uint8Array(12 + nameText.length + mimeText.length)
  const view = viewOf(encoded)
  encoded[0] = nameVersion
  view.setUint16(1, nameText.length)
  encoded.set(nameText, 3)
  encoded[3 + nameText.length] = mimeText.length
  encoded.set(mimeText, 4 + nameText.length)
  view.setBigUint64(4 + nameText.length + mimeText.length, BigInt(time))
  return encoded
}
