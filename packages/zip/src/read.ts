/** How many bytes of a local header come before its name. */
export const localHeaderStart = 30

export interface LocalHeader {
  readonly nameBytes: number
  readonly extraBytes: number
  /** As the header has it: four bytes, which cannot hold the size of a large file. */
  readonly bytes: number
  readonly checksumFollows: boolean
}

/** Reads the start of a local header; null when these bytes are none, as where the table of contents begins. */
export function readLocalHeader(bytes: Uint8Array): LocalHeader | null {
  if (bytes.length < localHeaderStart) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== 0x04034b50) return null
  return {
    bytes: view.getUint32(22, true),
    nameBytes: view.getUint16(26, true),
    extraBytes: view.getUint16(28, true),
    checksumFollows: (view.getUint16(6, true) & 8) !== 0,
  }
}
