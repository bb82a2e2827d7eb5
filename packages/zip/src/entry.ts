/** A file of an archive. Everything is stored as it is: what is sealed does not get any smaller. */
export interface ZipEntry {
  /** With `/` between folders; the caller sees to it that no name leads out of the archive. */
  readonly name: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Whether the checksum follows the bytes, for whoever cannot go back to write it in front of them. */
  readonly hasDescriptor: boolean
}

export interface PlacedEntry extends ZipEntry {
  /** Where its local header begins. */
  readonly offset: number
  /** CRC-32 of its bytes. */
  readonly checksum: number
}

/** From here on a number takes eight bytes of its own. */
export const largeFrom = 0xffffffff

export const encodeName = (name: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(name)
