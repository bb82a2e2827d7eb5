import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.rules.ts'
import type { DiskSpace } from './disk-space.ts'

export interface NewObject {
  /** The key of its sender in queues; callers share the disk equally. */
  readonly caller: string
  readonly fileId: string
  readonly index: number
  readonly bytes: Readable
  /** Allowed length of the stream; any other length is an error. */
  readonly length: { readonly least: number; readonly most: number }
  /** Aborts the write and removes everything written. */
  readonly signal: AbortSignal
  /** Called with the size of each buffer that arrives. */
  readonly onPiece?: ((bytes: number) => void) | undefined
}

export interface StoredObject {
  readonly bytes: number
  /** CRC-32 of the bytes. */
  readonly checksum: number
}

export interface StoredFile {
  readonly fileId: string
  readonly ageMs: number
}

/** Storage for encrypted bytes, with one object for each chunk of a file. */
export interface BlobStore {
  readonly id: string
  /** Where the bytes are: the path of a folder. */
  readonly location: string
  /**
   * Durably writes an object, replacing an older one with the same index. Throws CHUNK_TOO_LONG, CHUNK_LENGTH_WRONG,
   * NO_SPACE, STORAGE_UNAVAILABLE or UNAVAILABLE and then keeps the older object.
   */
  put(object: NewObject): Promise<StoredObject>
  /**
   * Opens a stream over a range of an object, in large buffers. Throws FILE_BYTES_LOST if the object is missing, and
   * UNAVAILABLE if it cannot be read. Callers share the disk equally.
   */
  open(fileId: string, index: number, range: ByteRange, caller: string): Promise<Readable>
  /** Size of an object; null if it does not exist. */
  size(fileId: string, index: number): Promise<number | null>
  /** Size of all objects of a file together. */
  bytesOf(fileId: string): Promise<number>
  /** Syncs the folders of a file, so that its objects survive a power cut. */
  syncFolders(fileId: string): Promise<void>
  /** Removes all objects of a file as soon as no reader holds it. */
  remove(fileId: string): Promise<void>
  /** Prevents a file from being removed until the returned function is called, but not forever. */
  hold(fileId: string): () => void
  /** How many readers there are. */
  readers(): number
  /** Iterates over all files that have objects. */
  list(): AsyncIterable<StoredFile>
  /** Removes temporary files of interrupted writes and returns their number. */
  removeStaleDrafts(olderThanMs: number): Promise<number>
  /** Bytes that can still be written, without the headroom of the disk. */
  freeBytes(): Promise<number>
  space(): Promise<DiskSpace>
  /** Throws unless a file can be written and removed. */
  probe(): Promise<void>
}
