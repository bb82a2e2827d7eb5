import type { Call } from '@sallyport/client/call'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { accountPlace, cancelAt, type UploadPlace } from '@sallyport/client/upload/place'
import { type KeptFile, looksLike } from '@sallyport/client/upload/reopen-upload'
import type { TakenUp, UploadQueue } from '@sallyport/client/upload/upload-queue'
import { foldersOf, lastPartOf } from '@sallyport/crypto'
import type { FindRoot } from '#/file-views/name-book.ts'
import { followWay, type WayToFile } from '#/ui/file-handles.ts'
import { openHeld } from './held-files.ts'
import type { KeptUploads } from './kept-uploads.ts'
import { type LeftUpload, lookAtLeft, storedEnvelopes } from './look-at-left.ts'
import { matchFiles } from './match-files.ts'

/** Why an upload could not be taken up just now. */
type ResumeTrouble = 'not-allowed' | 'not-there' | 'not-the-same' | 'changed'

export interface UnfinishedUpload extends KeptFile {
  readonly id: string
  /** Plain bytes that the server has. */
  readonly storedBytes: number
  /** Where its file comes from: by itself, by being chosen, or, for what was pasted and not held, from nowhere. */
  readonly source: 'at-hand' | 'chosen' | 'pasted'
  readonly trouble: ResumeTrouble | null
}

/** Uploads of earlier visits that no page is going on with. */
export interface UnfinishedUploads extends Observable<readonly UnfinishedUpload[]> {
  /** Looks again for what there is. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Goes on with what is at hand of these. Has to be called in the midst of a press: the browser may ask. */
  readonly goOn: (ids: readonly string[]) => Promise<void>
  /** Goes on with every upload that one of these files fits; tells how many did. */
  readonly goOnWith: (files: readonly File[]) => Promise<number>
  /** The same with a file that was chosen for just this upload. */
  readonly goOnWithOne: (id: string, file: File) => Promise<void>
  /** Takes them back, here and on the server. */
  readonly discard: (ids: readonly string[]) => Promise<void>
  /** Whether the browser has no room to remember what is queued. */
  readonly isForgetful: Observable<boolean>
}

interface Parts {
  readonly call: Call
  readonly findRoot: FindRoot
  /** Without it, the account. */
  readonly place?: UploadPlace
  readonly kept: KeptUploads
  readonly uploads: Pick<UploadQueue, 'add' | 'goOn'>
}

interface Item extends UnfinishedUpload {
  readonly left: LeftUpload
}

export function createUnfinishedUploads(parts: Parts): UnfinishedUploads {
  const { call, findRoot, kept, uploads, place = accountPlace } = parts
  const items = createSubject<readonly Item[]>([])
  let looking = new AbortController()

  const find = (id: string) => items.current().find((item) => item.id === id)
  const drop = (ids: ReadonlySet<string>) => items.set(items.current().filter(({ id }) => !ids.has(id)))
  const setTrouble = (id: string, trouble: ResumeTrouble) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, trouble } : item)))

  async function refresh(): Promise<void> {
    looking.abort()
    looking = new AbortController()
    const { signal } = looking
    const before = new Map(items.current().map((item) => [item.id, item]))
    const found = await kept.list()
    const { left, done } = await lookAtLeft(found, { call, findRoot, place, signal })
    if (signal.aborted) return
    if (done.length > 0) void kept.remove(done)
    // Out of reach: shown as it was, and looked at the next time.
    const looked = new Set([...done, ...left.map(({ entry }) => entry.uploadId)])
    const unknown = found.entries.filter(({ uploadId }) => !looked.has(uploadId))
    const shown = [
      ...left.map((one) => itemOf(one, before.get(one.entry.uploadId)?.trouble ?? null)),
      ...unknown.flatMap(({ uploadId }) => before.get(uploadId) ?? []),
    ]
    items.set(shown.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })))
  }

  /** Takes them in hand and puts them into the queue, each with its file. */
  async function takeUp(found: ReadonlyMap<string, File>): Promise<void> {
    const wanted = [...found.keys()].flatMap((id) => find(id)?.left ?? [])
    drop(new Set(found.keys()))
    const journals = await kept.claim(wanted.map(({ entry }) => entry))
    // A small file may have arrived since it was looked at. Where that cannot be asked now, each is asked about by itself.
    const stored = wanted.some(({ upload }) => upload.plan.isSingle) ? await storedEnvelopes({ call }) : null
    uploads.goOn(
      wanted.flatMap(({ entry, upload, file: kept }): TakenUp[] => {
        const [given, journal] = [found.get(entry.uploadId), journals.get(entry.uploadId)]
        if (!given || !journal) return []
        const [file, resumption] = [withFoldersOf(given, kept), { kept: entry, journal }]
        if (!stored || !upload.plan.isSingle) return [{ file, resumption }]
        if (!stored.has(entry.envelope)) return [{ file, noted: { ...resumption, upload } }]
        void journal.end()
        return []
      }),
    )
  }

  async function discard(ids: readonly string[]): Promise<void> {
    const begun = ids.filter((id) => (find(id)?.storedBytes ?? 0) > 0)
    drop(new Set(ids))
    await kept.remove(ids)
    await Promise.all(begun.map((id) => cancelAt(call, place, id, {}).catch(() => undefined)))
  }

  async function fetchFile(item: Item, mayAsk: () => boolean): Promise<File | ResumeTrouble> {
    const { way, heldBytes } = item.left.entry
    if (heldBytes) return (await openHeld(item.left.upload, item).catch(() => null)) ?? 'not-there'
    if (!way) return 'not-there'
    if (!(await mayRead(way, mayAsk()))) return 'not-allowed'
    const file = await followWay(way).catch(() => null)
    if (!file) return 'not-there'
    return looksLike(file, item) ? file : item.storedBytes > 0 ? 'not-the-same' : 'changed'
  }

  return {
    current: items.current,
    subscribe: items.subscribe,
    isForgetful: kept.isFull,
    refresh,
    discard,
    async goOn(ids) {
      const found = new Map<string, File>()
      let isRefused = false
      for (const id of ids) {
        const item = find(id)
        if (item?.source !== 'at-hand') continue
        const file = await fetchFile(item, () => !isRefused)
        if (typeof file === 'string') {
          if (file === 'not-allowed') isRefused = true
          setTrouble(id, file)
        } else found.set(id, file)
      }
      await takeUp(found)
    },
    async goOnWith(files) {
      const found = matchFiles(files, items.current())
      await takeUp(found)
      return found.size
    },
    async goOnWithOne(id, file) {
      const item = find(id)
      if (!item) return
      if (looksLike(file, item)) return takeUp(new Map([[id, file]]))
      const isOther = item.storedBytes > 0 || file.name.normalize('NFC') !== lastPartOf(item.name)
      if (isOther) return setTrouble(id, 'not-the-same')
      // Nothing of it was sent: it may as well be sent as it is now.
      const { expirationMinutes } = item.left.entry
      await discard([id])
      uploads.add([withFoldersOf(file, item)], { expirationMinutes })
    },
  }
}

function itemOf(left: LeftUpload, trouble: ResumeTrouble | null): Item {
  const { entry, file, storedBytes } = left
  const isAtHand = entry.way !== null || (entry.heldBytes ?? 0) > 0
  const source = isAtHand ? 'at-hand' : entry.heldBytes === null ? 'chosen' : 'pasted'
  return { id: entry.uploadId, ...file, storedBytes, source, trouble, left }
}

/** Shown under its folders, too. A `File` keeps its name, and a copy would no longer be the file on the disk. */
const withFoldersOf = (file: File, { name }: KeptFile): File =>
  foldersOf(name) === '' ? file : Object.assign(file, { path: name })

/** Asks where it has to and may; whoever says no once is not asked again for the next file. */
async function mayRead({ handle }: WayToFile, mayAsk: boolean): Promise<boolean> {
  const wanted = { mode: 'read' } as const
  if ((await (handle.queryPermission?.(wanted) ?? 'granted')) === 'granted') return true
  if (!mayAsk) return false
  const answer = await handle.requestPermission?.(wanted).catch(() => 'denied')
  return answer === 'granted'
}
