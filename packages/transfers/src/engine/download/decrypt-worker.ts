import type { Clock } from '@sallyport/client/clock'
import type { FileKeys } from '@sallyport/crypto'
import { receiveRecords } from './receive-records.ts'
import type { ReceiveOutcome, ReceiveTask } from './receive-task.ts'
import type { Sink } from './sink.ts'

/** Receives, decrypts and writes records: a worker in the browser, the same thread in Node. */
export interface DecryptWorker<Saved>
  extends Pick<Sink<Saved>, 'storage' | 'isSeekable' | 'writtenRecords' | 'close' | 'abort' | 'suspend'> {
  /** Rejects with the signal's reason when aborted, and with the sink's own error when a write fails. */
  receive(task: ReceiveTask, onOpened: (plainBytes: number) => void, signal: AbortSignal): Promise<ReceiveOutcome>
}

/** Creates a worker with the keys of the file that it decrypts. */
export type CreateDecryptWorker<Saved> = (keys: FileKeys) => Promise<DecryptWorker<Saved>>

interface DecryptWorkerDeps<Saved> {
  readonly keys: FileKeys
  readonly sink: Sink<Saved>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/** Creates a decrypt worker that runs in the calling thread. */
export function createDecryptWorker<Saved>({ sink, ...deps }: DecryptWorkerDeps<Saved>): DecryptWorker<Saved> {
  return {
    storage: sink.storage,
    isSeekable: sink.isSeekable,
    ...(sink.writtenRecords && { writtenRecords: sink.writtenRecords }),
    receive: (task, onOpened, signal) => receiveRecords({ ...deps, ...task, sink, onOpened, signal }),
    close: (onDecrypted, signal) => sink.close(onDecrypted, signal),
    abort: () => sink.abort(),
    suspend: () => (sink.suspend ?? sink.abort)(),
  }
}
