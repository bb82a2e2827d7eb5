import { encodeName, type WrittenEntry, type ZipEntry, zip64Threshold } from './entry.ts'
import { packFields } from './fields.ts'

type Bytes = Uint8Array<ArrayBuffer>

const versionNeeded = 45
const madeOnUnix = (3 << 8) | versionNeeded
const plainFileMode = 0o100644 * 0x10000
const nameIsUtf8 = 1 << 11
const checksumFollows = 1 << 3
const stored = 0
const zip64EntryCount = 0xffff

/** The local file header of an entry. Without a checksum it declares that a data descriptor follows the bytes. */
export function localHeader(entry: ZipEntry, checksum = 0): Bytes {
  const name = encodeName(entry.name)
  const size = Math.min(entry.bytes, zip64Threshold)
  const extra = packFields([timeField(entry), ...(entry.bytes < zip64Threshold ? [] : [zip64Sizes(entry)])])
  return packFields([
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

/** The data descriptor after the bytes of an entry. */
export function dataDescriptor({ bytes }: ZipEntry, checksum: number): Bytes {
  const width = bytes < zip64Threshold ? 4 : 8
  return packFields([
    [4, 0x08074b50],
    [4, checksum],
    [width, bytes],
    [width, bytes],
  ])
}

/** The central directory at the end of an archive; it starts where the last entry ends. */
export function centralDirectory(entries: readonly WrittenEntry[], offset: number): Bytes {
  const records = entries.map(centralDirectoryRecord)
  const bytes = records.reduce((sum, record) => sum + record.length, 0)
  const isLarge = entries.length >= zip64EntryCount || offset + bytes >= zip64Threshold
  const count = Math.min(entries.length, zip64EntryCount)
  const end = packFields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, isLarge ? zip64EntryCount : count],
    [2, isLarge ? zip64EntryCount : count],
    [4, isLarge ? zip64Threshold : bytes],
    [4, isLarge ? zip64Threshold : offset],
    [2, 0],
  ])
  return packFields([...records, ...(isLarge ? [zip64End({ count: entries.length, bytes, offset })] : []), end])
}

/** The exact length of an archive with these entries. */
export function archiveBytes(entries: readonly ZipEntry[]): number {
  let offset = 0
  const entriesWithOffset = entries.map((entry) => {
    const start = offset
    offset += localHeader(entry).length + entry.bytes
    if (entry.hasDescriptor) offset += dataDescriptor(entry, 0).length
    return { ...entry, offset: start, checksum: 0 }
  })
  return offset + centralDirectory(entriesWithOffset, offset).length
}

function centralDirectoryRecord(entry: WrittenEntry): Bytes {
  const name = encodeName(entry.name)
  const isLarge = entry.bytes >= zip64Threshold || entry.offset >= zip64Threshold
  const size = isLarge ? zip64Threshold : entry.bytes
  const large = packFields([
    [2, 1],
    [2, 24],
    [8, entry.bytes],
    [8, entry.bytes],
    [8, entry.offset],
  ])
  const extra = packFields([timeField(entry), ...(isLarge ? [large] : [])])
  return packFields([
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
    [4, isLarge ? zip64Threshold : entry.offset],
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

/** Converts to MS-DOS time: even seconds from 1980 to 2107, in local time. */
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

/** The extended timestamp: seconds in UTC, for readers that support the field. */
function timeField({ modifiedAt }: ZipEntry): Bytes {
  const seconds = Math.min(Math.max(0, Math.floor(modifiedAt / 1000)), 0x7fffffff)
  return packFields([[2, 0x5455], [2, 5], Uint8Array.of(1), [4, seconds]])
}

const zip64Sizes = ({ bytes }: ZipEntry): Bytes =>
  packFields([
    [2, 1],
    [2, 16],
    [8, bytes],
    [8, bytes],
  ])

interface DirectoryLocation {
  readonly count: number
  readonly bytes: number
  readonly offset: number
}

function zip64End({ count, bytes, offset }: DirectoryLocation): Bytes {
  return packFields([
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
