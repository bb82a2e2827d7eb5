import { ignore } from '@sallyport/contract/ignore'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { SavedFile } from '../workers/tasks.ts'

/** The browser has saved the file itself. */
export interface ServedFile {
  readonly isServed: true
}

/** A download in the service worker. Closing or aborting ends it. */
export interface ServedDownload extends Pick<DecryptWorker<void>, 'receive' | 'close' | 'abort'> {
  /** Whether the browser has requested the file. */
  isRequested(): boolean
  end(): void
}

/** Changes to the other worker if the browser never requests the file. Nothing of it was passed on until then. */
export function withFallback(
  served: ServedDownload,
  fallback: DecryptWorker<SavedFile> | null,
): DecryptWorker<SavedFile | ServedFile> {
  let isServed = true

  async function run<Result>(
    signal: AbortSignal,
    serve: () => Promise<Result>,
    otherwise: (worker: DecryptWorker<SavedFile>) => Promise<Result>,
  ): Promise<Result> {
    if (isServed || !fallback) {
      try {
        return await serve()
      } catch (error) {
        if (served.isRequested() || !fallback || signal.aborted) throw error
        ignore(error, 'the file is saved once it is complete')
        isServed = false
        served.end()
      }
    }
    return otherwise(fallback)
  }

  return {
    get storage() {
      return isServed || !fallback ? 'disk' : fallback.storage
    },
    isSeekable: false,
    ...(fallback?.writtenRecords && { writtenRecords: fallback.writtenRecords }),
    receive: (task, onOpened, signal) =>
      run(
        signal,
        () => served.receive(task, onOpened, signal),
        (other) => other.receive(task, onOpened, signal),
      ),
    close: (onDecrypted, signal) =>
      run<SavedFile | ServedFile>(
        signal,
        async () => {
          await served.close(onDecrypted, signal)
          await fallback?.abort()
          return { isServed: true }
        },
        (other) => other.close(onDecrypted, signal),
      ),
    abort: () => served.abort().finally(() => fallback?.abort()),
    suspend: () => served.abort().finally(() => fallback?.suspend?.()),
  }
}
