import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  fromBase64url,
  isSealedName,
  sealName,
} from '@sallyport/crypto'

const bytesPerLine = 10
const lineCount = 3

/** Formats the first bytes of an encrypted name as short hex lines; none for a name that is not encrypted. */
export function hexLines(encryptedName: string): readonly string[] {
  if (!isSealedName(encryptedName)) return []
  const ciphertext = fromBase64url(encryptedName.slice(encryptedName.indexOf('.') + 1))
  return Array.from({ length: lineCount }, (_, line) => {
    const bytes = ciphertext.subarray(line * bytesPerLine, (line + 1) * bytesPerLine)
    return (bytes.toHex().match(/.{1,4}/g) ?? []).join(' ')
  })
}

/** Encrypts a sample name under a random key that is discarded, for accounts without files. */
export async function encryptSampleName(): Promise<string> {
  const keys = await deriveFileKeys(createFileKey(), createFileHeader({ kind: 'personal', plainBytes: 0 }))
  return sealName({ name: 'sample.txt', mimeType: 'text/plain', lastModified: 0 }, keys)
}
