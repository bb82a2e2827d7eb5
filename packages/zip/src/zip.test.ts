import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { checksumOf } from './checksum.ts'
import type { WrittenEntry, ZipEntry } from './entry.ts'
import { localHeaderFixedBytes, parseLocalHeader } from './read.ts'
import { archiveBytes, centralDirectory, dataDescriptor, localHeader } from './write.ts'

const gigabyte = 1024 ** 3
const modifiedAt = Date.UTC(2026, 4, 17, 10, 30, 42)

interface TestFile extends Partial<ZipEntry> {
  readonly content: Buffer
}

function writeArchive(files: readonly TestFile[]): { readonly bytes: Buffer; readonly entries: readonly ZipEntry[] } {
  const parts: Uint8Array[] = []
  const writtenEntries: WrittenEntry[] = []
  let offset = 0
  const add = (part: Uint8Array) => {
    parts.push(part)
    offset += part.length
  }
  for (const { content, ...fields } of files) {
    const entry = { name: 'file', bytes: content.length, modifiedAt, hasDescriptor: false, ...fields }
    const checksum = checksumOf(content)
    writtenEntries.push({ ...entry, offset, checksum })
    add(localHeader(entry, entry.hasDescriptor ? 0 : checksum))
    add(content)
    if (entry.hasDescriptor) add(dataDescriptor(entry, checksum))
  }
  add(centralDirectory(writtenEntries, offset))
  return { bytes: Buffer.concat(parts), entries: writtenEntries }
}

async function readArchive(bytes: Buffer) {
  const zip = await yauzl.fromBufferPromise(bytes)
  const found = []
  for await (const entry of zip.eachEntry()) {
    const content = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray())
    found.push({ name: entry.fileName, content, checksum: entry.crc32, lastModified: entry.getLastModDate() })
  }
  return found
}

for (const hasDescriptor of [false, true]) {
  const way = hasDescriptor ? 'after' : 'before'
  test(`an archive with checksums ${way} the bytes is read by yauzl`, async () => {
    const contents = [randomBytes(70_001), Buffer.alloc(0), Buffer.from('x')]
    const names = ['Ångström “report”.pdf', 'empty', '<b>.html']
    const { bytes, entries } = writeArchive(
      contents.map((content, at) => ({ content, name: names[at] ?? '', hasDescriptor })),
    )

    const read = await readArchive(bytes)

    expect(read.map(({ name }) => name)).toEqual(names)
    expect(read.map(({ content }, at) => content.equals(contents[at] as Buffer))).toEqual([true, true, true])
    expect(read.map(({ checksum }) => checksum)).toEqual(contents.map((content) => crc32(content)))
    expect(read.map(({ lastModified }) => lastModified.getTime())).toEqual([modifiedAt, modifiedAt, modifiedAt])
    expect(archiveBytes(entries)).toBe(bytes.length)
  })
}

test('an archive of 66,000 entries is readable, and its length is known in advance', async () => {
  const files = Array.from({ length: 66_000 }, (_, at) => ({ content: Buffer.alloc(0), name: `file ${at}` }))
  const { bytes, entries } = writeArchive(files)

  const zip = await yauzl.fromBufferPromise(bytes)

  expect(zip.entryCount).toBe(66_000)
  expect(archiveBytes(entries)).toBe(bytes.length)
})

test('an archive larger than 4 GB is readable by its central directory', async () => {
  const plans = [5 * gigabyte, 10, 2 * gigabyte].map((size, at) => ({
    name: `file ${at}`,
    bytes: size,
    modifiedAt,
    hasDescriptor: at === 0,
  }))
  let offset = 0
  const writtenEntries = plans.map((entry) => {
    const start = offset
    offset += localHeader(entry).length + entry.bytes + (entry.hasDescriptor ? dataDescriptor(entry, 0).length : 0)
    return { ...entry, offset: start, checksum: 0 }
  })
  const tail = Buffer.from(centralDirectory(writtenEntries, offset))

  const folder = await mkdtemp(join(tmpdir(), 'sallyport-zip-'))
  const path = join(folder, 'mostly-nothing.zip')
  const file = await open(path, 'w')
  await file.write(tail, 0, tail.length, offset)
  await file.close()

  const zip = await yauzl.openPromise(path)
  const read = []
  for await (const entry of zip.eachEntry()) read.push([entry.uncompressedSize, entry.relativeOffsetOfLocalHeader])

  expect(read).toEqual(writtenEntries.map((entry) => [entry.bytes, entry.offset]))
  expect(archiveBytes(plans)).toBe(offset + tail.length)
  await rm(folder, { recursive: true })
})

test('a checksum does not depend on how the bytes are split', () => {
  const bytes = randomBytes(10_007)

  for (const cut of [0, 1, 7, 8, 9, 5000, 10_007]) {
    expect(checksumOf(bytes.subarray(cut), checksumOf(bytes.subarray(0, cut)))).toBe(crc32(bytes))
  }
})

test('a local header has a known length, and other bytes are rejected', () => {
  const entry = { name: 'naïve.txt', bytes: 5 * gigabyte, modifiedAt: 0, hasDescriptor: true }
  const header = localHeader(entry)

  const read = parseLocalHeader(header)

  expect(read).toMatchObject({ nameBytes: 10, checksumFollows: true })
  expect(localHeaderFixedBytes + 10 + (read?.extraBytes ?? 0)).toBe(header.length)
  expect(parseLocalHeader(header.subarray(0, 29))).toBeNull()
  expect(parseLocalHeader(centralDirectory([], 0))).toBeNull()
})
