const noteBytes = 4

/** What notes are kept in: a part of what a synchronous file handle offers. */
export interface NotesPlace {
  getSize(): number
  read(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number
  truncate(size: number): void
}

/** One checksum for each record that has been written; 0 stands for none. Tells loss and accident, not intent. */
export function createNotes(place: NotesPlace, recordCount: number) {
  const size = recordCount * noteBytes
  const one = new DataView(new ArrayBuffer(noteBytes))
  const known = new DataView(new ArrayBuffer(size))
  if (place.getSize() === size) place.read(new Uint8Array(known.buffer), { at: 0 })
  else place.truncate(size)

  return {
    has: (index: number): boolean => known.getUint32(index * noteBytes) !== 0,
    fits: (index: number, piece: Uint8Array<ArrayBuffer>): boolean =>
      known.getUint32(index * noteBytes) === checksumOf(piece),
    note(index: number, piece: Uint8Array<ArrayBuffer>): void {
      one.setUint32(0, checksumOf(piece))
      place.write(new Uint8Array(one.buffer), { at: index * noteBytes })
    },
    clear(): void {
      place.truncate(0)
      place.truncate(size)
    },
  }
}

/** FNV-1a over whole words, which is several times quicker than over bytes; never 0. */
function checksumOf(piece: Uint8Array<ArrayBuffer>): number {
  const aligned = piece.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? piece : piece.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
  let sum = 0x811c9dc5 ^ piece.length
  for (let index = 0; index < words.length; index += 1) sum = Math.imul(sum ^ (words[index] ?? 0), 0x01000193)
  for (const byte of aligned.subarray(words.length * 4)) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0 || 1
}
