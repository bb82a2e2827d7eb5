import { expect, type Page } from '@playwright/test'

/** The names of what lies in the private file system of a page's origin. */
export const privateFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()))

interface Staged {
  /** Of all files together. */
  readonly bytes: number
  /** How many of the samples stand in any of them. */
  readonly found: number
}

/** Looks for each sample, bytes in hexadecimal, in everything that lies in the private file system. */
const searchPrivateFiles = (page: Page, samples: readonly string[]): Promise<Staged> =>
  page.evaluate(async (wanted) => {
    const needles = wanted.map((hex) => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    const isIn = (bytes: Uint8Array, needle: readonly number[]): boolean => {
      const first = needle[0] ?? 0
      for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
        if (needle.every((byte, place) => bytes[at + place] === byte)) return true
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
    const found = needles.filter((needle) => contents.some((bytes) => isIn(bytes, needle))).length
    return { bytes: contents.reduce((sum, { length }) => sum + length, 0), found }
  }, samples)

const sampleBytes = 24
const sampleCount = 20

/** Pieces of a file from its first `length` bytes, in hexadecimal. */
export const samplesOf = (file: Buffer, length = file.length): string[] =>
  Array.from({ length: sampleCount }, (_, number) => {
    const at = Math.floor(((length - sampleBytes) * number) / (sampleCount - 1))
    return file.subarray(at, at + sampleBytes).toString('hex')
  })

/** There is as much in the private file system as is to be, and none of the samples stands in it. */
export async function expectEncrypted(page: Page, samples: readonly string[], leastBytes: number): Promise<void> {
  // A file that is written at this very moment cannot be read; it is looked at again then.
  const look = () => searchPrivateFiles(page, samples).catch(() => ({ bytes: 0, found: 0 }))
  await expect.poll(async () => (await look()).bytes).toBeGreaterThanOrEqual(leastBytes)
  expect(await searchPrivateFiles(page, samples)).toMatchObject({ found: 0 })
}
