import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileKeys,
  openEnvelope,
  openName,
  openStream,
  sealName,
  sealStream,
  wrapFileKey,
} from '@sallyport/crypto'

export const accountKey = Uint8Array.from({ length: 32 }, (_, index) => index + 1)

const blockBytes = 1024 * 1024 + 1

/** Bytes whose period matches no record, chunk or part size, so that misplaced bytes are detected. */
export function patternBytes(length: number): Uint8Array<ArrayBuffer> {
  const block = Uint8Array.from({ length: Math.min(length, blockBytes) }, (_, index) => index * 31 + (index >> 8) * 7)
  const bytes = new Uint8Array(length)
  for (let start = 0; start < length; start += blockBytes) bytes.set(block.subarray(0, length - start), start)
  return bytes
}

/** Opens a stored file with the account key. */
export async function openStoredFile({ envelope, name, bytes }: { envelope: string; name: string; bytes: Uint8Array }) {
  const { keys } = await openEnvelope({ envelope, root: accountKey, wrapType: 'account' })
  return { ...(await openName(name, keys)), bytes: await openBytes(keys, bytes) }
}

async function openBytes(keys: FileKeys, sealed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([sealed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(openStream(keys) as never)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A file as stored on a server, sealed in records of 64 KiB by default. */
export async function sealedFile(
  bytes: Uint8Array<ArrayBuffer>,
  { recordBytes = 64 * 1024, name = 'holiday.txt' }: { recordBytes?: number | undefined; name?: string } = {},
) {
  const fileKey = createFileKey()
  const header = createFileHeader({ kind: 'personal', plainBytes: bytes.length, recordBytes })
  const keys = await deriveFileKeys(fileKey, header)
  const stream = new Blob([bytes]).stream().pipeThrough(sealStream(keys) as never)
  return {
    keys,
    name: await sealName({ name, mimeType: 'text/plain', lastModified: 1_700_000_000_000 }, keys),
    envelope: await wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' }),
    bytes: new Uint8Array(await new Response(stream).arrayBuffer()),
  }
}
