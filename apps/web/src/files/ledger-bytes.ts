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

/** The first bytes of a sealed name in hex, in short lines of pairs; none for a name that is not sealed. */
export function hexLines(sealedName: string): readonly string[] {
  if (!isSealedName(sealedName)) return []
  const sealed = fromBase64url(sealedName.slice(sealedName.indexOf('.') + 1))
  return Array.from({ length: lineCount }, (_, line) => {
    const bytes = sealed.subarray(line * bytesPerLine, (line + 1) * bytesPerLine)
    return (bytes.toHex().match(/.{1,4}/g) ?? []).join(' ')
  })
}

/** A name sealed here and now under a key that is thrown away, for whoever has no file yet. */
export async function sealSampleName(): Promise<string> {
  const keys = await deriveFileKeys(createFileKey(), createFileHeader({ kind: 'personal', plainBytes: 0 }))
  return sealName({ name: 'sample.txt', mimeType: 'text/plain', lastModified: 0 }, keys)
}
