/** The number of bytes in a local header before its name. */
export const localHeaderFixedBytes = 30

export interface LocalHeader {
  readonly nameBytes: number
  readonly extraBytes: number
  /** The 32-bit field of the header, which cannot hold the size of a large file. */
  readonly bytes: number
  readonly checksumFollows: boolean
}

/** Parses the fixed part of a local header; null for other bytes, such as the central directory. */
export function parseLocalHeader(bytes: Uint8Array): LocalHeader | null {
  if (bytes.length < localHeaderFixedBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== 0x04034b50) return null
  return {
    bytes: view.getUint32(22, true),
    nameBytes: view.getUint16(26, true),
    extraBytes: view.getUint16(28, true),
    checksumFollows: (view.getUint16(6, true) & 8) !== 0,
  }
}
