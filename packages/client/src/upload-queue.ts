import { transferLimits } from '@sallyport/contract/limits'
import type { Clock } from './clock.ts'
import { createSubject, type Observable } from './observable.ts'
import { type FileSource, fullNameOf } from './upload/file-source.ts'
import type { Upload } from './upload/upload.ts'
import type { UploadState } from './upload/upload-state.ts'

export interface QueuedUpload {
  readonly id: string
  readonly name: string
  /** Plain bytes. */
  readonly size: number
  readonly state: UploadState
}

export interface UploadQueue extends Observable<readonly QueuedUpload[]> {
  /** Puts files at the end, in their order. None is as good as no call. */
  add(files: Iterable<FileSource>, choice?: UploadChoice): void
  cancel(id: string): void
  /** Starts a failed or cancelled one from its beginning, behind those that wait. */
  retry(id: string): void
  /** Takes one that has ended out of the list. */
  dismiss(id: string): void
}

export interface UploadChoice {
  readonly expirationMinutes?: number | undefined
}

interface Parts {
  readonly begin: (file: FileSource, choice: UploadChoice) => Upload
  readonly clock: Clock
}

interface Item extends QueuedUpload {
  readonly file: FileSource
  readonly choice: UploadChoice
}

const waiting: UploadState = { status: 'waiting' }

export const hasEnded = ({ status }: UploadState): boolean => status !== 'waiting' && status !== 'sending'

/** Uploads one file after another: two at once would only halve the speed of both. */
export function createUploadQueue({ begin, clock }: Parts): UploadQueue {
  const items = createSubject<readonly Item[]>([])
  let active: { readonly id: string; readonly upload: Upload } | null = null
  let lastNumber = 0

  const change = (id: string, state: UploadState) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, state } : item)))

  function beginNext(): void {
    const next = items.current().find(({ state }) => state.status === 'waiting')
    if (active || !next) return
    const { id } = next
    const upload = begin(next.file, next.choice)
    active = { id, upload }
    const stopWatching = upload.subscribe(() => {
      const state = upload.current()
      if (hasEnded(state)) stopWatching()
      change(id, state)
      if (hasEnded(state)) void makeRoom(state)
    })
    change(id, upload.current())
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
      const added = Array.from(files, (file): Item => {
        lastNumber += 1
        return { id: String(lastNumber), name: fullNameOf(file), size: file.size, state: waiting, file, choice }
      })
      if (added.length === 0) return
      items.set([...items.current(), ...added])
      beginNext()
    },
    cancel(id) {
      if (active?.id === id) return active.upload.cancel()
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status === 'waiting') change(id, { status: 'cancelled' })
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
  }
}
