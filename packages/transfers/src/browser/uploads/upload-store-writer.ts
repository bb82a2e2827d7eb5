import { type UpdateOptions, type UploadTransaction, updateUploads } from './upload-store.ts'

type UploadUpdate = (step: UploadTransaction) => unknown

export interface UploadStoreWriter {
  /** Resolves once the update is written; rejects where there is not enough space, and does nothing after `close`. */
  readonly write: (update: UploadUpdate, options?: UpdateOptions) => Promise<void>
  /** Stops writing. */
  readonly close: () => void
}

/**
 * Writes updates in order. Updates that arrive during a write are combined into the next transaction (group commit).
 */
export function createUploadStoreWriter(): UploadStoreWriter {
  let queued: UploadUpdate[] = []
  let createsDatabase = false
  let nextWrite: Promise<void> | null = null
  let lastWrite: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function writeQueued(): Promise<void> {
    const updates = queued
    const options = { createsDatabase }
    queued = []
    createsDatabase = false
    nextWrite = null
    if (!isClosed) await updateUploads((step) => Promise.all(updates.map((change) => change(step))), options)
  }

  return {
    write(change, options) {
      queued.push(change)
      createsDatabase ||= options?.createsDatabase ?? false
      if (!nextWrite) {
        nextWrite = lastWrite.then(writeQueued)
        lastWrite = nextWrite.catch(() => undefined)
      }
      return nextWrite
    },
    close() {
      isClosed = true
    },
  }
}
