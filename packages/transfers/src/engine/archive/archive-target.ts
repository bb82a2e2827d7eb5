import type { Sink } from '../download/sink.ts'

/** Destination of the bytes of an archive. */
export interface ArchiveTarget<Saved> extends Pick<Sink<Saved>, 'storage' | 'close' | 'abort'> {
  /**
   * Appends bytes, or overwrites a range that was written with the same position and length. The caller may reuse the
   * bytes after this has resolved.
   */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void | Promise<void>
  /** Truncates the archive to this length. */
  truncate(length: number): void | Promise<void>
}
