import type { RecordRange } from './plan.ts'

/** Destination of the decrypted bytes. */
export interface Sink<Saved> {
  /** `memory` where the browser has no storage for it: a large file may not fit. */
  readonly storage: 'disk' | 'memory'
  /** Whether writes may come in any order. */
  readonly isSeekable: boolean
  /** The records that an earlier attempt has written, in order; they are not fetched again. */
  readonly writtenRecords?: readonly RecordRange[]
  /** Writes a record, given as plain and as sealed bytes. The caller may reuse the buffers after this has resolved. */
  write(bytes: Uint8Array<ArrayBuffer>, position: number, sealed: Uint8Array<ArrayBuffer>): void | Promise<void>
  /**
   * Called after every byte is written and verified. A sink that stages encrypted bytes decrypts them here, and reports
   * how many plain bytes it decrypted since the last report. Rejects with the signal's reason when aborted; the caller
   * then calls `abort`.
   */
  close(onDecrypted: (plainBytes: number) => void, signal: AbortSignal): Promise<Saved>
  /** Deletes everything that was written. */
  abort(): Promise<void>
  /** Closes the sink but keeps what is written for a later attempt. A sink without this method cannot be resumed. */
  suspend?(): Promise<void>
}
