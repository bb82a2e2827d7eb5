import { transferLimits } from '@sallyport/contract/limits'
import type { Clock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { type FileSource, fullNameOf } from './file-source.ts'
import type { Resumption } from './journal.ts'
import type { Upload } from './upload.ts'
import type { UploadState } from './upload-state.ts'

export interface QueuedUpload {
  readonly id: string
  readonly name: string
  /** Plain bytes. */
  readonly size: number
  readonly state: UploadState
  /** The upload that another attempt would go on with, by its id on the wire; null where it would begin anew. */
  readonly resumableId: string | null
}

export interface UploadQueue extends Observable<readonly QueuedUpload[]> {
  /** Puts files at the end, in their order. None is as good as no call. */
  add(files: Iterable<FileSource>, choice?: UploadChoice): void
  /** Takes up again what was begun with this file at an earlier visit, behind those that wait. */
  goOn(file: FileSource, resumption: Resumption): void
  cancel(id: string): void
  /** Starts a failed or cancelled one again, behind those that wait: where it stopped, if it can be gone on with. */
  retry(id: string): void
  /** Takes one that has ended out of the list. */
  dismiss(id: string): void
  /** Stops at once, begins nothing more, and leaves what was begun to be gone on with later. */
  suspend(): void
  /** Cancels everything, for good; settles when the server was told. */
  drop(): Promise<void>
}

export interface UploadChoice {
  readonly expirationMinutes?: number | undefined
}

export interface WantedUpload extends UploadChoice {
  readonly file: FileSource
  readonly resumption?: Resumption | undefined
}

interface Parts {
  readonly begin: (wanted: WantedUpload) => Upload
  readonly clock: Clock
}

interface Item extends QueuedUpload {
  readonly wanted: WantedUpload
}

const waiting: UploadState = { status: 'waiting' }

export const hasEnded = ({ status }: UploadState): boolean => status !== 'waiting' && status !== 'sending'

/** Uploads one file after another: two at once would only halve the speed of both. */
export function createUploadQueue({ begin, clock }: Parts): UploadQueue {
  const items = createSubject<readonly Item[]>([])
  let active: { readonly id: string; readonly upload: Upload } | null = null
  let lastNumber = 0
  let isSuspended = false

  const change = (id: string, changed: Partial<Item>) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, ...changed } : item)))

  function itemOf(wanted: WantedUpload): Item {
    lastNumber += 1
    const { file } = wanted
    return {
      id: String(lastNumber),
      name: fullNameOf(file),
      size: file.size,
      state: waiting,
      resumableId: null,
      wanted,
    }
  }

  function append(added: readonly Item[]): void {
    if (added.length === 0) return
    items.set([...items.current(), ...added])
    beginNext()
  }

  function beginNext(): void {
    const next = items.current().find(({ state }) => state.status === 'waiting')
    if (active || !next || isSuspended) return
    const { id, wanted } = next
    const upload = begin(wanted)
    active = { id, upload }
    const stopWatching = upload.subscribe(() => {
      const state = upload.current()
      if (hasEnded(state)) stopWatching()
      const resumption = upload.resumption() ?? undefined
      const resumableId = resumption?.kept.uploadId ?? null
      change(id, { state, ...(hasEnded(state) && { resumableId, wanted: { ...wanted, resumption } }) })
      if (hasEnded(state)) void makeRoom(state)
    })
    change(id, { state: upload.current() })
  }

  async function makeRoom({ status }: UploadState): Promise<void> {
    if (status === 'cancelled') await clock.wait(transferLimits.newUploadAfterCancelMs)
    active = null
    beginNext()
  }

  return {
    current: items.current,
    subscribe: items.subscribe,
    add(files, choice = {}) {
      append(Array.from(files, (file) => itemOf({ ...choice, file })))
    },
    goOn(file, resumption) {
      append([itemOf({ file, resumption })])
    },
    cancel(id) {
      if (active?.id === id) return active.upload.cancel()
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status === 'waiting') change(id, { state: { status: 'cancelled' } })
    },
    retry(id) {
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      items.set([...items.current().filter((other) => other !== item), { ...item, state: waiting }])
      beginNext()
    },
    dismiss(id) {
      items.set(items.current().filter((item) => item.id !== id || !hasEnded(item.state)))
    },
    suspend() {
      isSuspended = true
      active?.upload.suspend()
    },
    async drop() {
      isSuspended = true
      active?.upload.cancel()
      await active?.upload.finished
    },
  }
}
