import type { FileKeys } from '@sallyport/crypto'
import type { Answer } from '../answer.ts'
import type { Clock } from '../clock.ts'
import type { PreparedRequest } from '../request.ts'
import type { RecordRange } from './plan.ts'
import { receiveRecords } from './receive-records.ts'
import type { Sink } from './sink.ts'

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

/** Where records are received, opened and written: a worker in the browser, the same thread in Node. */
export interface OpenLane<Saved> extends Pick<Sink<Saved>, 'place' | 'isSeekable' | 'close' | 'abort'> {
  /** Rejects with the signal's reason when aborted, and with the sink's own error when a write fails. */
  receive(task: ReceiveTask, onOpened: (plainBytes: number) => void, signal: AbortSignal): Promise<ReceiveOutcome>
}

/** Gives each lane the keys of the file it opens. */
export type OpenOpenLane<Saved> = (keys: FileKeys) => Promise<OpenLane<Saved>>

interface LaneParts<Saved> {
  readonly keys: FileKeys
  readonly sink: Sink<Saved>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/** A lane in the thread it is made in. */
export function createOpenLane<Saved>({ sink, ...parts }: LaneParts<Saved>): OpenLane<Saved> {
  return {
    place: sink.place,
    isSeekable: sink.isSeekable,
    receive: (task, onOpened, signal) => receiveRecords({ ...parts, ...task, sink, onOpened, signal }),
    close: () => sink.close(),
    abort: () => sink.abort(),
  }
}
