import { expect, type Page } from '@playwright/test'

/** Lists the names in the origin private file system of a page. */
export const listOpfs = (page: Page): Promise<string[]> =>
  page.evaluate(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()))

interface OpfsSearchResult {
  /** Of all files together. */
  readonly bytes: number
  /** How many of the samples occur in any of them. */
  readonly found: number
}

/** Searches all files in the origin private file system for each sample (hexadecimal bytes). */
const searchOpfs = (page: Page, samples: readonly string[]): Promise<OpfsSearchResult> =>
  page.evaluate(async (wanted) => {
    const needles = wanted.map((hex) => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    const contains = (bytes: Uint8Array, needle: readonly number[]): boolean => {
      const first = needle[0] ?? 0
      for (let start = bytes.indexOf(first); start !== -1; start = bytes.indexOf(first, start + 1))
        if (needle.every((byte, offset) => bytes[start + offset] === byte)) return true
      return false
    }
    const read = async (folder: FileSystemDirectoryHandle): Promise<Uint8Array[]> => {
      const contents: Uint8Array[] = []
      for await (const handle of folder.values()) {
        if (handle.kind === 'directory') contents.push(...(await read(handle as FileSystemDirectoryHandle)))
        else contents.push(new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer()))
      }
      return contents
    }
    const contents = await read(await navigator.storage.getDirectory())
    const found = needles.filter((needle) => contents.some((bytes) => contains(bytes, needle))).length
    return { bytes: contents.reduce((sum, { length }) => sum + length, 0), found }
  }, samples)

const sampleBytes = 24
const sampleCount = 20

/** Samples of the first `length` bytes of a file, in hexadecimal. */
export const samplesOf = (file: Buffer, length = file.length): string[] =>
  Array.from({ length: sampleCount }, (_, number) => {
    const start = Math.floor(((length - sampleBytes) * number) / (sampleCount - 1))
    return file.subarray(start, start + sampleBytes).toString('hex')
  })

/** Expects at least `minBytes` bytes in the origin private file system and none of the samples among them. */
export async function expectEncrypted(page: Page, samples: readonly string[], minBytes: number): Promise<void> {
  // A file that is being written cannot be read; the poll tries again.
  const search = () => searchOpfs(page, samples).catch(() => ({ bytes: 0, found: 0 }))
  await expect.poll(async () => (await search()).bytes).toBeGreaterThanOrEqual(minBytes)
  expect(await searchOpfs(page, samples)).toMatchObject({ found: 0 })
}
