import type { Answer } from '../answer.ts'
import type { PreparedRequest } from '../request.ts'
import type { RecordRange } from './plan.ts'

/** Plain values throughout: a task, its progress and its outcome may cross into a worker and back. */
export interface ReceiveTask {
  /** Complete but for the range. */
  readonly request: PreparedRequest
  readonly records: RecordRange
  readonly timeoutMs: number
}

export type ReceiveOutcome =
  | { readonly kind: 'complete' }
  /** The stream ended or broke; every record before the next one is verified and written. */
  | { readonly kind: 'cut'; readonly nextRecord: number }
  | ({ readonly kind: 'refused' } & Answer)
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'no-record-size' }
  | { readonly kind: 'other-record-size' }
  | { readonly kind: 'damaged'; readonly record: number }
