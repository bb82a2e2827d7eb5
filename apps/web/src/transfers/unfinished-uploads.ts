import type { Call } from '@sallyport/client/call'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { lookAtKept, type Unfinished } from '@sallyport/client/upload/look-at-kept'
import { looksLike } from '@sallyport/client/upload/reopen-upload'
import type { UploadQueue } from '@sallyport/client/upload/upload-queue'
import { files } from '@sallyport/contract/files'
import { uploadLimits } from '@sallyport/contract/limits'
import { CryptoError, type Root } from '@sallyport/crypto'
import type { KeptEntry } from './kept-store.ts'
import type { KeptUploads } from './kept-uploads.ts'

/** Why an upload could not be taken up just now. */
type ResumeTrouble = 'not-allowed' | 'not-there' | 'not-the-same'

export interface UnfinishedUpload extends Unfinished {
  readonly id: string
  /** Can go on without the file being chosen again. */
  readonly isAtHand: boolean
  readonly trouble: ResumeTrouble | null
}

/** Uploads of earlier visits that no page is going on with. */
export interface UnfinishedUploads extends Observable<readonly UnfinishedUpload[]> {
  /** Looks again for what there is. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Goes on with the file that is remembered. Has to be called in the midst of a press: the browser may ask. */
  readonly goOn: (id: string) => Promise<void>
  /** Goes on with a file that was chosen again. */
  readonly goOnWith: (id: string, file: File) => Promise<void>
  /** Takes it back, here and on the server. */
  readonly discard: (id: string) => Promise<void>
}

interface Parts {
  readonly call: Call
  readonly accountKey: Root
  readonly kept: KeptUploads
  readonly uploads: Pick<UploadQueue, 'goOn'>
  readonly now: () => number
}

interface Item extends UnfinishedUpload {
  readonly entry: KeptEntry
}

export function createUnfinishedUploads({ call, accountKey, kept, uploads, now }: Parts): UnfinishedUploads {
  const items = createSubject<readonly Item[]>([])
  let looking = new AbortController()

  const find = (id: string) => items.current().find((item) => item.id === id)
  const drop = (id: string) => items.set(items.current().filter((item) => item.id !== id))
  const setTrouble = (id: string, trouble: ResumeTrouble | null) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, trouble } : item)))

  async function itemOf(entry: KeptEntry, signal: AbortSignal): Promise<Item | null> {
    const { uploadId: id, handle } = entry
    const before = find(id)
    try {
      const found = await lookAtKept({ kept: entry, accountKey, call, signal })
      const isGivenUp = found?.storedBytes === 0 && now() - entry.begunAt > uploadLimits.abandonedAfterMs
      if (found && !isGivenUp)
        return { id, ...found, isAtHand: handle !== null, trouble: before?.trouble ?? null, entry }
    } catch (error) {
      // Out of reach: shown as it was, and looked at the next time.
      if (!(error instanceof CryptoError)) return before ?? null
    }
    await kept.remove(id)
    return null
  }

  async function refresh(): Promise<void> {
    looking.abort()
    looking = new AbortController()
    const { signal } = looking
    const entries = await kept.list()
    const found = await Promise.all(entries.map((entry) => itemOf(entry, signal)))
    if (!signal.aborted) items.set(found.filter((item) => item !== null).sort((a, b) => a.name.localeCompare(b.name)))
  }

  async function goOnWith(id: string, file: File): Promise<void> {
    const item = find(id)
    if (!item) return
    if (!looksLike(file, item)) return setTrouble(id, 'not-the-same')
    const journal = await kept.claim(item.entry)
    drop(id)
    if (journal) uploads.goOn(file, { kept: item.entry, journal })
  }

  return {
    current: items.current,
    subscribe: items.subscribe,
    refresh,
    goOnWith,
    async goOn(id) {
      const { handle = null } = find(id)?.entry ?? {}
      if (!handle) return
      const permission = await (handle.requestPermission?.({ mode: 'read' }) ?? 'granted')
      if (permission !== 'granted') return setTrouble(id, 'not-allowed')
      const file = await handle.getFile().catch(() => null)
      return file ? goOnWith(id, file) : setTrouble(id, 'not-there')
    },
    async discard(id) {
      drop(id)
      await kept.remove(id)
      await call(files.cancelUpload, { params: { uploadId: id } }).catch(() => undefined)
    },
  }
}
