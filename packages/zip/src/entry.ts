/** A file of an archive. Entries are stored uncompressed, because sealed bytes do not compress. */
export interface ZipEntry {
  /** Folders are separated by `/`; the caller ensures that no name leads out of the archive. */
  readonly name: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Whether the checksum follows the bytes, for writers that cannot seek back. */
  readonly hasDescriptor: boolean
}

export interface WrittenEntry extends ZipEntry {
  /** Offset of its local header. */
  readonly offset: number
  /** CRC-32 of its bytes. */
  readonly checksum: number
}

/** Numbers from here on need a ZIP64 field. */
export const zip64Threshold = 0xffffffff

export const encodeName = (name: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(name)
