import { type Bytes, concatBytes, portalDigest, toBase64url } from '@sallyport/crypto/portal'

/** The unit of digests and of storage: only complete blocks are stored. */
export const blockBytes = 1024 * 1024

export const blockCount = (size: number): number => Math.ceil(size / blockBytes)
export const chunkCount = (size: number, chunk: number): number => Math.ceil(size / chunk)
export const lengthAt = (index: number, each: number, size: number): number => Math.min(each, size - index * each)

/** The digest of a whole file, over its transfer id, index, size and the digests of all its blocks. */
export async function rootOf(transfer: Bytes, file: number, size: number, digests: readonly Bytes[]): Promise<string> {
  const head = new Uint8Array(10)
  const view = new DataView(head.buffer)
  view.setUint16(0, file)
  view.setBigUint64(2, BigInt(size))
  return toBase64url(await portalDigest(concatBytes(transfer, head, ...digests)))
}

const middleSamples = 3

/** The first and the last stored block and some random ones, without duplicates. */
export function sampleOf(stored: readonly boolean[]): number[] {
  const blocks = stored.flatMap((isStored, block) => (isStored ? [block] : []))
  const between = Array.from({ length: middleSamples }, () => blocks[Math.floor(Math.random() * blocks.length)] ?? 0)
  const ends = [blocks[0] ?? 0, blocks.at(-1) ?? 0]
  return blocks.length === 0 ? [] : [...new Set([...ends, ...between])]
}
