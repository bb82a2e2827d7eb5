/** Where the bytes of an archive go. */
export interface ArchiveTarget<Saved> {
  /** `memory` where the browser has no better place: a large archive may then not fit. */
  readonly place: 'disk' | 'memory'
  /**
   * Takes bytes behind all others, or once more exactly what was written at this place before, of the same length. They
   * are free for other use once this has settled.
   */
  write(bytes: Uint8Array<ArrayBuffer>, position: number): void | Promise<void>
  /** Forgets everything from here on. */
  cut(length: number): void | Promise<void>
  /** Called once the archive is complete. */
  close(): Promise<Saved>
  /** Leaves nothing behind that looks like an archive. */
  abort(): Promise<void>
}
