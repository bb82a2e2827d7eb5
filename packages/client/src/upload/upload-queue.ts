import { transferLimits } from '@sallyport/contract/limits'
import type { Clock } from '../clock.ts'
import { createSubject, type Observable } from '../observable.ts'
import { type FileSource, fullNameOf } from './file-source.ts'
import type { Resumption } from './journal.ts'
import type { NotedUpload } from './prepare-upload.ts'
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
  /** Takes up again what was noted of these files at an earlier visit, behind those that wait. */
  goOn(taken: Iterable<TakenUp>): void
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

/** A file whose upload was noted at an earlier visit. */
export interface TakenUp {
  readonly file: FileSource
  /** Where some of it may have arrived. */
  readonly resumption?: Resumption
  /** Where nothing of it has. */
  readonly noted?: NotedUpload
}

export interface WantedUpload extends UploadChoice {
  readonly file: FileSource
  readonly resumption?: Resumption | undefined
  readonly noted?: Promise<NotedUpload | null> | undefined
}

/** Writes uploads down before they begin, in the same order; null for one that cannot be noted. */
export type NoteAhead = (wanted: readonly WantedUpload[]) => Promise<readonly (NotedUpload | null)[]>

interface Parts {
  readonly begin: (wanted: WantedUpload) => Upload
  readonly clock: Clock
  /** Without it, what waits is forgotten with the page. */
  readonly noteAhead?: NoteAhead | undefined
}

interface Item extends QueuedUpload {
  readonly wanted: WantedUpload
}

/** So many are noted together: few enough that the first are soon done, enough to cost little each. */
const notedAtOnce = 50

const waiting: UploadState = { status: 'waiting' }

export const hasEnded = ({ status }: UploadState): boolean => status !== 'waiting' && status !== 'sending'

/** Uploads one file after another: two at once would only halve the speed of both. */
export function createUploadQueue({ begin, clock, noteAhead }: Parts): UploadQueue {
  const items = createSubject<readonly Item[]>([])
  let active: { readonly id: string; readonly upload: Upload } | null = null
  let lastNumber = 0
  let isSuspended = false
  let isNoting = false

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
    void noteWaiting()
  }

  /** Writes down what waits, some at a time, while what was noted before is sent. */
  async function noteWaiting(): Promise<void> {
    if (!noteAhead || isNoting) return
    isNoting = true
    for (let batch = nextToNote(); batch.length > 0; batch = nextToNote()) {
      const noting = noteAhead(batch.map(({ wanted }) => wanted)).catch(() => [])
      const noted = new Map(batch.map(({ id }, place) => [id, noting.then((made) => made[place] ?? null)]))
      items.set(items.current().map((item) => withNote(item, noted.get(item.id))))
      await noting
    }
    isNoting = false
  }

  const nextToNote = (): readonly Item[] => (isSuspended ? [] : items.current().filter(needsNote).slice(0, notedAtOnce))

  const needsNote = ({ id, state, wanted }: Item): boolean =>
    state.status === 'waiting' && active?.id !== id && !wanted.noted && !wanted.resumption

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
      change(id, {
        state,
        ...(hasEnded(state) && { resumableId, wanted: { ...wanted, noted: undefined, resumption } }),
      })
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
    goOn(taken) {
      append(Array.from(taken, ({ noted, ...rest }) => itemOf({ ...rest, noted: noted && Promise.resolve(noted) })))
    },
    cancel(id) {
      if (active?.id === id) return active.upload.cancel()
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'waiting') return
      const { noted, ...wanted } = item.wanted
      const resumableId = wanted.resumption?.kept.uploadId ?? null
      change(id, { state: { status: 'cancelled' }, resumableId, wanted })
      void noted?.then((made) => made?.journal.end())
    },
    retry(id) {
      const item = items.current().find((candidate) => candidate.id === id)
      if (item?.state.status !== 'failed' && item?.state.status !== 'cancelled') return
      items.set([...items.current().filter((other) => other !== item), { ...item, state: waiting }])
      beginNext()
      void noteWaiting()
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

const withNote = (item: Item, noted: Promise<NotedUpload | null> | undefined): Item =>
  noted ? { ...item, wanted: { ...item.wanted, noted } } : item
