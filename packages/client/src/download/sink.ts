import type { RecordRange } from './plan.ts'

/** Where opened bytes go. */
export interface Sink<Saved> {
  /** `memory` where the browser has no better place: a large file may then not fit. */
  readonly place: 'disk' | 'memory'
  /** Whether writes may come in any order. */
  readonly isSeekable: boolean
  /** The records an earlier attempt has left here, in order; they are not fetched again. */
  readonly kept?: readonly RecordRange[]
  /** Takes a record, opened and as it came. Its bytes are free for other use once this has settled. */
  write(bytes: Uint8Array<ArrayBuffer>, position: number, sealed: Uint8Array<ArrayBuffer>): void | Promise<void>
  /** Called once every byte is written and verified. */
  close(): Promise<Saved>
  /** Leaves nothing behind that looks like the file. */
  abort(): Promise<void>
  /** Ends for now, and keeps what is there for a later attempt; a sink without this keeps nothing. */
  leave?(): Promise<void>
}
