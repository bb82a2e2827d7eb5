import { type FileKeys, openEnvelope, openName, openStream } from '@sallyport/crypto'
import type { FileSource } from '../upload/file-source.ts'

export const accountKey = Uint8Array.from({ length: 32 }, (_, index) => index + 1)

/** Bytes in which every place is told from its neighbours. */
export function patternBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8) * 7 + (index >> 16)) & 255
  return bytes
}

export function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'holiday.txt'): FileSource & { lastModified: number } {
  const blob = new Blob([bytes])
  return {
    name,
    type: 'text/plain',
    size: bytes.length,
    lastModified: 1_700_000_000_000,
    slice: (start, end) => blob.slice(start, end),
  }
}

/** Opens what a server stored, as whoever holds the account key would. */
export async function openStored({ envelope, name, bytes }: { envelope: string; name: string; bytes: Uint8Array }) {
  const { keys } = await openEnvelope({ envelope, root: accountKey, wrapType: 'account' })
  return { ...(await openName(name, keys)), bytes: await openBytes(keys, bytes) }
}

async function openBytes(keys: FileKeys, sealed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([sealed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(openStream(keys) as never)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
