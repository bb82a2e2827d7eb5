import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { checksumOf } from './checksum.ts'
import type { PlacedEntry, ZipEntry } from './entry.ts'
import { localHeaderStart, readLocalHeader } from './read.ts'
import { archiveBytes, dataDescriptor, directory, localHeader } from './write.ts'

const gigabyte = 1024 ** 3
const modifiedAt = Date.UTC(2026, 4, 17, 10, 30, 42)

interface Wish extends Partial<ZipEntry> {
  readonly content: Buffer
}

function writeArchive(files: readonly Wish[]): { readonly bytes: Buffer; readonly entries: readonly ZipEntry[] } {
  const parts: Uint8Array[] = []
  const placed: PlacedEntry[] = []
  let offset = 0
  const add = (part: Uint8Array) => {
    parts.push(part)
    offset += part.length
  }
  for (const { content, ...wish } of files) {
    const entry = { name: 'file', bytes: content.length, modifiedAt, hasDescriptor: false, ...wish }
    const checksum = checksumOf(content)
    placed.push({ ...entry, offset, checksum })
    add(localHeader(entry, entry.hasDescriptor ? 0 : checksum))
    add(content)
    if (entry.hasDescriptor) add(dataDescriptor(entry, checksum))
  }
  add(directory(placed, offset))
  return { bytes: Buffer.concat(parts), entries: placed }
}

async function readArchive(bytes: Buffer) {
  const zip = await yauzl.fromBufferPromise(bytes)
  const found = []
  for await (const entry of zip.eachEntry()) {
    const content = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray())
    found.push({ name: entry.fileName, content, checksum: entry.crc32, at: entry.getLastModDate() })
  }
  return found
}

for (const hasDescriptor of [false, true]) {
  const way = hasDescriptor ? 'behind' : 'in front of'
  test(`an archive with its checksums ${way} the bytes is read by another program`, async () => {
    const contents = [randomBytes(70_001), Buffer.alloc(0), Buffer.from('x')]
    const names = ['Ångström “report”.pdf', 'empty', '<b>.html']
    const { bytes, entries } = writeArchive(
      contents.map((content, at) => ({ content, name: names[at] ?? '', hasDescriptor })),
    )

    const read = await readArchive(bytes)

    expect(read.map(({ name }) => name)).toEqual(names)
    expect(read.map(({ content }, at) => content.equals(contents[at] as Buffer))).toEqual([true, true, true])
    expect(read.map(({ checksum }) => checksum)).toEqual(contents.map((content) => crc32(content)))
    expect(read.map(({ at }) => at.getTime())).toEqual([modifiedAt, modifiedAt, modifiedAt])
    expect(archiveBytes(entries)).toBe(bytes.length)
  })
}

test('an archive of more entries than the old form counts is read whole, and its length is known ahead', async () => {
  const files = Array.from({ length: 66_000 }, (_, at) => ({ content: Buffer.alloc(0), name: `file ${at}` }))
  const { bytes, entries } = writeArchive(files)

  const zip = await yauzl.fromBufferPromise(bytes)

  expect(zip.entryCount).toBe(66_000)
  expect(archiveBytes(entries)).toBe(bytes.length)
})

test('an archive larger than four gigabytes is found by its table of contents', async () => {
  const plans = [5 * gigabyte, 10, 2 * gigabyte].map((size, at) => ({
    name: `file ${at}`,
    bytes: size,
    modifiedAt,
    hasDescriptor: at === 0,
  }))
  let offset = 0
  const placed = plans.map((entry) => {
    const at = offset
    offset += localHeader(entry).length + entry.bytes + (entry.hasDescriptor ? dataDescriptor(entry, 0).length : 0)
    return { ...entry, offset: at, checksum: 0 }
  })
  const tail = Buffer.from(directory(placed, offset))

  const folder = await mkdtemp(join(tmpdir(), 'sallyport-zip-'))
  const path = join(folder, 'mostly-nothing.zip')
  const file = await open(path, 'w')
  await file.write(tail, 0, tail.length, offset)
  await file.close()

  const zip = await yauzl.openPromise(path)
  const read = []
  for await (const entry of zip.eachEntry()) read.push([entry.uncompressedSize, entry.relativeOffsetOfLocalHeader])

  expect(read).toEqual(placed.map((entry) => [entry.bytes, entry.offset]))
  expect(archiveBytes(plans)).toBe(offset + tail.length)
  await rm(folder, { recursive: true })
})

test('a checksum is the same however the bytes are cut', () => {
  const bytes = randomBytes(10_007)

  for (const cut of [0, 1, 7, 8, 9, 5000, 10_007]) {
    expect(checksumOf(bytes.subarray(cut), checksumOf(bytes.subarray(0, cut)))).toBe(crc32(bytes))
  }
})

test('a local header tells how long it is, and nothing else passes for one', () => {
  const entry = { name: 'naïve.txt', bytes: 5 * gigabyte, modifiedAt: 0, hasDescriptor: true }
  const header = localHeader(entry)

  const read = readLocalHeader(header)

  expect(read).toMatchObject({ nameBytes: 10, checksumFollows: true })
  expect(localHeaderStart + 10 + (read?.extraBytes ?? 0)).toBe(header.length)
  expect(readLocalHeader(header.subarray(0, 29))).toBeNull()
  expect(readLocalHeader(directory([], 0))).toBeNull()
})
