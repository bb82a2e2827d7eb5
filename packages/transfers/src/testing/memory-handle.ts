/** An in-memory FileSystemSyncAccessHandle. */
interface MemorySyncAccessHandle {
  bytes: Uint8Array<ArrayBuffer>
  /** Number of write calls. */
  writes: number
  getSize(): number
  read(into: Uint8Array<ArrayBuffer>, options: { at: number }): number
  write(from: Uint8Array<ArrayBuffer>, options: { at: number }): number
  truncate(size: number): void
}

export function createMemoryHandle(size = 0): MemorySyncAccessHandle {
  const handle: MemorySyncAccessHandle = {
    bytes: new Uint8Array(size),
    writes: 0,
    getSize: () => handle.bytes.length,
    read(into, { at }) {
      const piece = handle.bytes.subarray(at, at + into.length)
      into.set(piece)
      return piece.length
    },
    write(from, { at }) {
      handle.writes += 1
      handle.bytes.set(from, at)
      return from.length
    },
    truncate(length) {
      const preserved = handle.bytes.slice(0, length)
      handle.bytes = new Uint8Array(length)
      handle.bytes.set(preserved)
    },
  }
  return handle
}
