import { ignore } from '@sallyport/contract/ignore'
import { transferLimits } from '@sallyport/contract/limits'
import type { Clock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { hasEnded } from '../transfer.ts'
import { type FileSource, fullNameOf } from './file-source.ts'
import type { Resumption } from './prepare-upload.ts'
import type { Upload } from './upload.ts'
import type { UploadState } from './upload-state.ts'

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

export interface UploadOptions {
  readonly expirationMinutes?: number | undefined
}

/** A file to upload, with what is persisted of its upload. */
export interface UploadInput extends UploadOptions {
  readonly file: FileSource
  /** Set if parts of it may have arrived. */
  readonly resumption?: Resumption | undefined
  /** Set if it was persisted and nothing of it has arrived. */
  readonly pending?: Promise<Required<Resumption> | null> | undefined
}

/** Persists uploads before they start and returns them in the same order; null for one that cannot be persisted. */
export type PersistPending = (inputs: readonly UploadInput[]) => Promise<readonly (Required<Resumption> | null)[]>

interface UploadQueueDeps {
  readonly startUpload: (input: UploadInput) => Upload
  readonly clock: Clock
  /** Without it, waiting uploads are lost with the page. */
  readonly persistPending?: PersistPending | undefined
}

interface QueueItem extends QueuedUpload {
  readonly input: UploadInput
}

/** How many uploads are persisted together: few enough that the first are soon done, enough to be cheap for each. */
const persistBatchSize = 50

const waiting: UploadState = { status: 'waiting' }

/** Uploads one file after another: two at once would only halve the speed of both. */
export function createUploadQueue({ startUpload, clock, persistPending }: UploadQueueDeps): UploadQueue {
  const items = createSubject<readonly QueueItem[]>([])
  let active: { readonly id: string; readonly upload: Upload } | null = null
  let lastId = 0
  let isSuspended = false
  let isPersisting = false

  const updateItem = (id: string, changes: Partial<QueueItem>) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, ...changes } : item)))

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
    items.set([...items.current(), ...added])
    startNext()
    void persistWaiting()
  }

  /** Persists the waiting uploads in batches while the ones persisted earlier are sent. */
  async function persistWaiting(): Promise<void> {
    if (!persistPending || isPersisting) return
    isPersisting = true
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      const persisting = persistPending(batch.map(({ input }) => input)).catch(
        (error) => ignore(error, 'the uploads are lost with the page') ?? [],
      )
      const pendingById = new Map(
        batch.map(({ id }, index) => [id, persisting.then((persisted) => persisted[index] ?? null)]),
      )
      items.set(items.current().map((item) => withPending(item, pendingById.get(item.id))))
      await persisting
    }
    isPersisting = false
  }

  const nextBatch = (): readonly QueueItem[] =>
    isSuspended ? [] : items.current().filter(needsPersisting).slice(0, persistBatchSize)

  const needsPersisting = ({ id, state, input }: QueueItem): boolean =>
    state.status === 'waiting' && active?.id !== id && !input.pending && !input.resumption

  function startNext(): void {
    const next = items.current().find(({ state }) => state.status === 'waiting')
    if (active || !next || isSuspended) return
    const { id, input } = next
    const upload = startUpload(input)
    active = { id, upload }
    const stopWatching = upload.subscribe(() => {
      const state = upload.current()
      if (hasEnded(state)) stopWatching()
      const resumption = upload.resumption() ?? undefined
      const resumableId = resumption?.persisted.uploadId ?? null
      updateItem(id, {
        state,
        ...(hasEnded(state) && { resumableId, input: { ...input, pending: undefined, resumption } }),
      })
      if (hasEnded(state)) void releaseActive(state)
    })
    updateItem(id, { state: upload.current() })
  }

  async function releaseActive({ status }: UploadState): Promise<void> {
    if (status === 'cancelled') await clock.wait(transferLimits.newUploadAfterCancelMs)
    active = null
    startNext()
  }

  return {
    current: items.current,
    subscribe: items.subscribe,
    add(files, options = {}) {
      append(Array.from(files, (file) => createItem({ ...options, file })))
    },
    resume(uploads) {
      append(Array.from(uploads, createItem))
    },
    cancel(id) {
      if (active?.id === id) return active.upload.cancel()
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'waiting') return
      const { pending, ...input } = item.input
      const resumableId = input.resumption?.persisted.uploadId ?? null
      updateItem(id, { state: { status: 'cancelled' }, resumableId, input })
      void pending?.then((persisted) => persisted?.journal.delete())
    },
    retry(id) {
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      items.set([...items.current().filter((other) => other !== item), { ...item, state: waiting }])
      startNext()
      void persistWaiting()
    },
    dismiss(id) {
      items.set(items.current().filter((item) => item.id !== id || !hasEnded(item.state)))
    },
    suspend() {
      isSuspended = true
      active?.upload.suspend()
    },
    async cancelAll() {
      isSuspended = true
      active?.upload.cancel()
      await active?.upload.finished
    },
  }
}

const withPending = (item: QueueItem, pending: Promise<Required<Resumption> | null> | undefined): QueueItem =>
  pending ? { ...item, input: { ...item.input, pending } } : item
