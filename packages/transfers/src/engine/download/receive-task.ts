import type { PreparedRequest } from '@sallyport/client/request'
import type { BufferedResponse } from '@sallyport/client/response'
import type { RecordRange } from './plan.ts'

/** Tasks, progress and outcomes are structured-cloneable, because they may be posted to a worker and back. */
export interface ReceiveTask {
  /** Complete except for the Range header. */
  readonly request: PreparedRequest
  readonly records: RecordRange
  readonly timeoutMs: number
}

export type ReceiveOutcome =
  | { readonly kind: 'complete' }
  /** The stream ended early; every record before `nextRecord` is verified and written. */
  | { readonly kind: 'cut'; readonly nextRecord: number }
  | ({ readonly kind: 'refused' } & BufferedResponse)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'no-record-size' }
  | { readonly kind: 'other-record-size' }
  | { readonly kind: 'damaged'; readonly record: number }
