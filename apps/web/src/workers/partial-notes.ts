import type { Clock } from '@sallyport/client/clock'
import { type FileKeys, recordOverheadBytes as noteBytes } from '@sallyport/crypto'

/** What so many records, or this long, has gathered is written at once: each write costs the whole browser. */
const gatheredRecords = 8
const gatheredMs = 500

/** What notes are kept in: a part of what a synchronous file handle offers. */
export interface NotesPlace {
  getSize(): number
  read(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  truncate(size: number): void
}

/** Notes that are never written down. */
export const notesInMemory: NotesPlace = {
  getSize: () => 0,
  read: () => 0,
  write: (bytes) => bytes.length,
  truncate: () => undefined,
}

export type Notes = ReturnType<typeof createNotes>

/** The imprint of each record that has been written, gathered in memory and put down every few records; zeros stand for none. */
export function createNotes(place: NotesPlace, keys: Pick<FileKeys, 'header'>, clock: Pick<Clock, 'now'>) {
  const { recordCount } = keys.header
  const size = recordCount * noteBytes
  const known = new Uint8Array(size)
  const gathered = new Set<number>()
  let writtenAt = clock.now()
  if (place.getSize() === size) place.read(known, { at: 0 })
  else place.truncate(size)

  const noteOf = (index: number) => known.subarray(index * noteBytes, (index + 1) * noteBytes)

  /** Writes down what was gathered, records that lie side by side in one go. */
  function flush(): void {
    const indexes = [...gathered].sort((one, other) => one - other)
    for (let from = 0, to = 1; from < indexes.length; from = to, to += 1) {
      const first = indexes[from] ?? 0
      while (indexes[to] === first + to - from) to += 1
      place.write(known.subarray(first * noteBytes, (first + to - from) * noteBytes), { at: first * noteBytes })
    }
    gathered.clear()
    writtenAt = clock.now()
  }

  return {
    has: (index: number): boolean => noteOf(index).some((byte) => byte !== 0),
    imprint: noteOf,
    note(index: number, imprint: Uint8Array): void {
      noteOf(index).set(imprint)
      gathered.add(index)
      if (gathered.size >= gatheredRecords || clock.now() - writtenAt >= gatheredMs) flush()
    },
    flush,
    /** Leaves nothing on the disk for a later attempt; this one still knows all. */
    forget(): void {
      gathered.clear()
      place.truncate(0)
    },
    clear(): void {
      gathered.clear()
      known.fill(0)
      place.truncate(0)
      place.truncate(size)
    },
  }
}
