import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.rules.ts'

export interface NewObject {
  readonly fileId: string
  readonly index: number
  readonly bytes: Readable
  /** How many bytes the stream has to bring; one more or one less is refused. */
  readonly length: { readonly least: number; readonly most: number }
  /** Ends the writing; nothing of it stays. */
  readonly signal: AbortSignal
  /** Told how many bytes a piece has that came in. */
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

/** One place that keeps sealed bytes, an object for each chunk of a file. */
export interface BlobStore {
  readonly id: string
  /**
   * Streams an object to where a crash cannot reach it, in place of an older one of the same index. Refuses with
   * CHUNK_TOO_LONG, CHUNK_LENGTH_WRONG, NO_SPACE or UNAVAILABLE, and then leaves the older one as it is.
   */
  put(object: NewObject): Promise<StoredObject>
  /** A stream over a part of an object, in large pieces. Refuses with UNAVAILABLE when the object cannot be read. */
  open(fileId: string, index: number, range: ByteRange): Promise<Readable>
  /** Bytes of an object, or null when it is not there. */
  size(fileId: string, index: number): Promise<number | null>
  /** Makes sure that a crash cannot make objects that were put disappear. */
  settle(fileId: string): Promise<void>
  /** Removes all objects of a file, once nobody holds it any more. */
  remove(fileId: string): Promise<void>
  /** Keeps a file from being removed until the answer is called, though not forever. */
  hold(fileId: string): () => void
  /** All files there are objects of. */
  list(): AsyncIterable<StoredFile>
  /** Removes what writings that broke off have left behind; answers how many. */
  tidy(olderThanMs: number): Promise<number>
  /** Bytes that may still be written; the last of a disk are not among them. */
  freeBytes(): Promise<number>
  /** Throws unless bytes can be written and removed right now. */
  probe(): Promise<void>
}
