import { encodeName, largeFrom, type PlacedEntry, type ZipEntry } from './entry.ts'
import { layFields } from './fields.ts'

type Bytes = Uint8Array<ArrayBuffer>

const versionNeeded = 45
const madeOnUnix = (3 << 8) | versionNeeded
const plainFileMode = 0o100644 * 0x10000
const nameIsUtf8 = 1 << 11
const checksumFollows = 1 << 3
const stored = 0
const mostEntries = 0xffff

/** What stands in front of the bytes of an entry. Without a checksum it says that one follows them. */
export function localHeader(entry: ZipEntry, checksum = 0): Bytes {
  const name = encodeName(entry.name)
  const size = Math.min(entry.bytes, largeFrom)
  const extra = layFields([timeField(entry), ...(entry.bytes < largeFrom ? [] : [largeSizes(entry)])])
  return layFields([
    [4, 0x04034b50],
    [2, versionNeeded],
    ...commonFields(entry, checksum),
    [4, size],
    [4, size],
    [2, name.length],
    [2, extra.length],
    name,
    extra,
  ])
}

/** What stands behind the bytes of an entry that has a descriptor. */
export function dataDescriptor({ bytes }: ZipEntry, checksum: number): Bytes {
  const width = bytes < largeFrom ? 4 : 8
  return layFields([
    [4, 0x08074b50],
    [4, checksum],
    [width, bytes],
    [width, bytes],
  ])
}

/** The table of contents that ends an archive; it begins where the last entry has ended. */
export function directory(entries: readonly PlacedEntry[], offset: number): Bytes {
  const records = entries.map(directoryRecord)
  const bytes = records.reduce((sum, record) => sum + record.length, 0)
  const isLarge = entries.length >= mostEntries || offset + bytes >= largeFrom
  const count = Math.min(entries.length, mostEntries)
  const end = layFields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, isLarge ? mostEntries : count],
    [2, isLarge ? mostEntries : count],
    [4, isLarge ? largeFrom : bytes],
    [4, isLarge ? largeFrom : offset],
    [2, 0],
  ])
  return layFields([...records, ...(isLarge ? [largeEnd({ count: entries.length, bytes, offset })] : []), end])
}

/** How long an archive of these entries is, to the byte. */
export function archiveBytes(entries: readonly ZipEntry[]): number {
  let offset = 0
  const placed = entries.map((entry) => {
    const at = offset
    offset += localHeader(entry).length + entry.bytes
    if (entry.hasDescriptor) offset += dataDescriptor(entry, 0).length
    return { ...entry, offset: at, checksum: 0 }
  })
  return offset + directory(placed, offset).length
}

function directoryRecord(entry: PlacedEntry): Bytes {
  const name = encodeName(entry.name)
  const isLarge = entry.bytes >= largeFrom || entry.offset >= largeFrom
  const size = isLarge ? largeFrom : entry.bytes
  const large = layFields([
    [2, 1],
    [2, 24],
    [8, entry.bytes],
    [8, entry.bytes],
    [8, entry.offset],
  ])
  const extra = layFields([timeField(entry), ...(isLarge ? [large] : [])])
  return layFields([
    [4, 0x02014b50],
    [2, madeOnUnix],
    [2, versionNeeded],
    ...commonFields(entry, entry.checksum),
    [4, size],
    [4, size],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, plainFileMode],
    [4, isLarge ? largeFrom : entry.offset],
    name,
    extra,
  ])
}

/** Flags, method, time and checksum, which both headers of an entry share. */
function commonFields({ hasDescriptor, modifiedAt }: ZipEntry, checksum: number) {
  const { time, date } = calendarTime(modifiedAt)
  return [
    [2, nameIsUtf8 | (hasDescriptor ? checksumFollows : 0)],
    [2, stored],
    [2, time],
    [2, date],
    [4, checksum],
  ] as const
}

/** The calendar of this format knows even seconds from 1980 to 2107, in whatever zone the reader is. */
function calendarTime(epochMs: number): { time: number; date: number } {
  const at = new Date(epochMs)
  const year = at.getFullYear()
  if (!(year >= 1980)) return { time: 0, date: (1 << 5) | 1 }
  if (year > 2107) return { time: 0, date: (127 << 9) | (12 << 5) | 31 }
  return {
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  }
}

/** The same moment to the second and without a zone, for readers that know the field. */
function timeField({ modifiedAt }: ZipEntry): Bytes {
  const seconds = Math.min(Math.max(0, Math.floor(modifiedAt / 1000)), 0x7fffffff)
  return layFields([[2, 0x5455], [2, 5], Uint8Array.of(1), [4, seconds]])
}

const largeSizes = ({ bytes }: ZipEntry): Bytes =>
  layFields([
    [2, 1],
    [2, 16],
    [8, bytes],
    [8, bytes],
  ])

interface DirectoryPlace {
  readonly count: number
  readonly bytes: number
  readonly offset: number
}

function largeEnd({ count, bytes, offset }: DirectoryPlace): Bytes {
  return layFields([
    [4, 0x06064b50],
    [8, 44],
    [2, madeOnUnix],
    [2, versionNeeded],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, bytes],
    [8, offset],
    [4, 0x07064b50],
    [4, 0],
    [8, offset + bytes],
    [4, 1],
  ])
}
