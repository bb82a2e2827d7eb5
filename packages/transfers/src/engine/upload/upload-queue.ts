import type { Clock } from '@sallyport/client/clock'
import { ApiError } from '@sallyport/client/errors'
import type { Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import { transferLimits } from '@sallyport/contract/limits'
import { hasEnded } from '../transfer.ts'
import { type FileSource, fullNameOf } from './file-source.ts'
import type { Resumption } from './prepare-upload.ts'
import { createQueueItems } from './queue-items.ts'
import type { Upload } from './upload.ts'
import type { UploadState } from './upload-progress.ts'

export interface QueuedUpload {
  readonly id: string
  readonly name: string
  /** Plain bytes. */
  readonly size: number
  readonly state: UploadState
  /** The upload id that a retry would resume; null if it would start over. */
  readonly resumableId: string | null
}

export interface UploadQueue extends Observable<readonly QueuedUpload[]> {
  find(id: string): QueuedUpload | undefined
  /** What was uploaded since files were added to an idle queue; completed uploads leave the list. */
  completed(): CompletedUploads
  /** Appends files in their order. No files are the same as no call. */
  add(files: Iterable<FileSource>, options?: UploadOptions): void
  /** Resumes persisted uploads of an earlier visit with these files, after the waiting ones. */
  resume(uploads: Iterable<UploadInput>): void
  cancel(id: string): void
  /** Restarts a failed or cancelled upload after the waiting ones; resumes it if possible. */
  retry(id: string): void
  /** Removes an ended upload from the list. */
  dismiss(id: string): void
  /** Stops at once, starts nothing more, and leaves the started upload resumable. */
  suspend(): void
  /** Cancels everything for good; resolves after the server was notified. */
  cancelAll(): Promise<void>
}

export interface CompletedUploads {
  readonly files: number
  /** Plain bytes. */
  readonly bytes: number
}

export interface UploadOptions {
  readonly expirationMinutes?: number | undefined
}

/** A file to upload, with what is persisted of its upload. */
export interface UploadInput extends UploadOptions {
  readonly file: FileSource
  /** Set if parts of it may have arrived. */
  readonly resumption?: Resumption | undefined
  /**
   * The id of its record if it was persisted and nothing of it has arrived; null if it could not be persisted. Thousands
   * may wait, so that neither keys nor records are in memory before an upload starts.
   */
  readonly pending?: Promise<string | null> | undefined
}

interface WaitingUploads {
  /** Persists uploads before they start and returns their ids in the same order. */
  readonly persist: (inputs: readonly UploadInput[]) => Promise<readonly string[]>
  readonly remove: (uploadId: string) => void
}

interface UploadQueueDeps {
  readonly startUpload: (input: UploadInput) => Upload
  readonly clock: Clock
  /** Without it, waiting uploads are lost with the page. */
  readonly waitingUploads?: WaitingUploads | undefined
  /** Without it, one file is sent after another. */
  readonly smallFiles?: SmallFilesOptions | undefined
}

interface SmallFilesOptions {
  /** How many small files are sent at once. */
  readonly concurrency: number
  /** Files of up to this size are small. */
  readonly maxBytes: number
}

interface QueueItem extends QueuedUpload {
  readonly input: UploadInput
}

/** How many uploads are persisted together: few enough that the first are soon done, enough to be worth a worker. */
const persistBatchSize = 250

const waiting: UploadState = { status: 'waiting' }
const noneCompleted: CompletedUploads = { files: 0, bytes: 0 }

/**
 * Starts uploads in the order of the files: several small files at once, because each costs a round trip, and large ones
 * alone, because two at once would only halve the speed of both.
 */
export function createUploadQueue({
  startUpload,
  clock,
  waitingUploads,
  smallFiles = { concurrency: 1, maxBytes: 0 },
}: UploadQueueDeps): UploadQueue {
  const items = createQueueItems<QueueItem>({ clock, notifyEveryMs: transferLimits.progressEveryMs })
  const active = new Map<string, Upload>()
  /** The ids of uploads that have not ended, that can start, and that are still to be persisted, each in their order. */
  const unended = new Set<string>()
  const ready = new Set<string>()
  const unpersisted = new Set<string>()
  let { concurrency } = smallFiles
  let lastId = 0
  let isSuspended = false
  let isPersisting = false
  let completed = noneCompleted

  function updateItem(id: string, changes: Partial<QueueItem>): void {
    const item = items.get(id)
    if (!item) return
    items.set({ ...item, ...changes })
    if (changes.state && hasEnded(changes.state)) unended.delete(id)
  }

  function createItem(input: UploadInput): QueueItem {
    lastId += 1
    const { file } = input
    return {
      id: String(lastId),
      name: fullNameOf(file),
      size: file.size,
      state: waiting,
      resumableId: null,
      input,
    }
  }

  function append(added: readonly QueueItem[]): void {
    if (added.length === 0) return
    if (unended.size === 0) completed = noneCompleted
    items.set(...added)
    enqueue(added)
  }

  function enqueue(added: readonly QueueItem[]): void {
    for (const { id, input } of added) {
      unended.add(id)
      ready.add(id)
      if (!input.pending && !input.resumption) unpersisted.add(id)
    }
    startWaiting()
    void persistWaiting()
  }

  /** Persists the waiting uploads in batches while the ones persisted earlier are sent. */
  async function persistWaiting(): Promise<void> {
    if (!waitingUploads || isPersisting) return
    isPersisting = true
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const persisting = waitingUploads
        .persist(batch.map(({ input }) => input))
        .catch((error) => ignore(error, 'the uploads are lost with the page') ?? [])
      for (const [index, { id, input }] of batch.entries()) {
        const pending = persisting.then((uploadIds) => uploadIds[index] ?? null)
        updateItem(id, { input: { ...input, pending } })
      }
      await persisting
    }
    isPersisting = false
  }

  function nextBatch(): readonly QueueItem[] {
    if (isSuspended) return []
    const batch: QueueItem[] = []
    for (const id of unpersisted) {
      if (batch.length === persistBatchSize) break
      unpersisted.delete(id)
      const item = items.get(id)
      if (item) batch.push(item)
    }
    return batch
  }

  function startWaiting(): void {
    for (const id of ready) {
      const item = items.get(id)
      if (!item) continue
      if (isSuspended || !mayStart(id)) return
      ready.delete(id)
      unpersisted.delete(id)
      start(item)
    }
  }

  const isSmall = (id: string): boolean => (items.get(id)?.size ?? 0) <= smallFiles.maxBytes

  function mayStart(id: string): boolean {
    if (active.size === 0) return true
    return active.size < concurrency && isSmall(id) && [...active.keys()].every(isSmall)
  }

  function start({ id, input }: QueueItem): void {
    const upload = startUpload(input)
    active.set(id, upload)
    const stopWatching = upload.subscribe(() => {
      const state = upload.current()
      if (!hasEnded(state)) return updateItem(id, { state })
      stopWatching()
      if (state.status === 'done') completed = { files: completed.files + 1, bytes: completed.bytes + input.file.size }
      const resumption = upload.resumption() ?? undefined
      const ended = {
        resumableId: resumption?.persisted.uploadId ?? null,
        input: { ...input, pending: undefined, resumption },
      }
      // The other uploads of this queue count towards the limit too, so this one is sent after them.
      const isPostponed = isTooManyUploads(state) && active.size > 1
      if (isPostponed) {
        concurrency = 1
        addInFront(ready, id)
      }
      updateItem(id, { ...ended, state: isPostponed ? waiting : state })
      void releaseActive(id, state)
    })
    updateItem(id, { state: upload.current() })
  }

  async function releaseActive(id: string, { status }: UploadState): Promise<void> {
    if (status === 'cancelled') await clock.wait(transferLimits.newUploadAfterCancelMs)
    active.delete(id)
    startWaiting()
    if (active.size === 0) concurrency = smallFiles.concurrency
  }

  return {
    current: items.current,
    find: items.get,
    subscribe: items.subscribe,
    completed: () => completed,
    add(files, options = {}) {
      append(Array.from(files, (file) => createItem({ ...options, file })))
    },
    resume(uploads) {
      append(Array.from(uploads, createItem))
    },
    cancel(id) {
      const upload = active.get(id)
      if (upload) return upload.cancel()
      const item = items.get(id)
      if (item?.state.status !== 'waiting') return
      ready.delete(id)
      unpersisted.delete(id)
      const { pending, ...input } = item.input
      const resumableId = input.resumption?.persisted.uploadId ?? null
      updateItem(id, { state: { status: 'cancelled' }, resumableId, input })
      void pending?.then((uploadId) => uploadId && waitingUploads?.remove(uploadId))
    },
    retry(id) {
      const item = items.get(id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      const retried = { ...item, state: waiting }
      items.append(retried)
      enqueue([retried])
    },
    dismiss(id) {
      const item = items.get(id)
      if (item && hasEnded(item.state)) items.delete(id)
    },
    suspend() {
      isSuspended = true
      for (const upload of active.values()) upload.suspend()
    },
    async cancelAll() {
      isSuspended = true
      const uploads = [...active.values()]
      for (const upload of uploads) upload.cancel()
      await Promise.all(uploads.map(({ finished }) => finished))
    },
  }
}

const isTooManyUploads = (state: UploadState): boolean =>
  state.status === 'failed' && state.error instanceof ApiError && state.error.code === 'TOO_MANY_UPLOADS'

function addInFront(ids: Set<string>, id: string): void {
  const others = [...ids]
  ids.clear()
  for (const each of [id, ...others]) ids.add(each)
}
