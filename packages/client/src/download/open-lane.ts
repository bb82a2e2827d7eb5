import type { FileKeys } from '@sallyport/crypto'
import type { Clock } from '../clock.ts'
import { receiveRecords } from './receive-records.ts'
import type { ReceiveOutcome, ReceiveTask } from './receive-task.ts'
import type { Sink } from './sink.ts'

/** Where records are received, opened and written: a worker in the browser, the same thread in Node. */
export interface OpenLane<Saved>
  extends Pick<Sink<Saved>, 'place' | 'isSeekable' | 'kept' | 'close' | 'abort' | 'leave'> {
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
    ...(sink.kept && { kept: sink.kept }),
    receive: (task, onOpened, signal) => receiveRecords({ ...parts, ...task, sink, onOpened, signal }),
    close: () => sink.close(),
    abort: () => sink.abort(),
    leave: () => (sink.leave ?? sink.abort)(),
  }
}
