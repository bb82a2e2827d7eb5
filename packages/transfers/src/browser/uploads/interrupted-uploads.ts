import type { Call } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import { foldersOf, lastPartOf } from '@sallyport/crypto'
import type { FindRootKey } from '../../engine/file-name.ts'
import { accountDestination, type UploadDestination } from '../../engine/upload/destination.ts'
import { matchesMetadata } from '../../engine/upload/reopen-upload.ts'
import { cancelUpload } from '../../engine/upload/server-upload.ts'
import type { UploadInput, UploadOptions, UploadQueue } from '../../engine/upload/upload-queue.ts'
import { checkResumable, type InterruptedUpload, type ResumeError, storedEnvelopes } from './check-resumable.ts'
import { type FileLocator, readFromLocator } from './file-handles.ts'
import { matchFiles } from './match-files.ts'
import { readPastedFile } from './pasted-files.ts'
import type { PersistedUploads } from './persisted-uploads.ts'

/** Interrupted uploads of earlier visits that no page is resuming. */
export interface InterruptedUploads extends Observable<readonly InterruptedUpload[]> {
  /** Reloads the list. Never rejects. */
  readonly refresh: () => Promise<void>
  /**
   * Resumes those whose file is available. Must be called from a user gesture, because the browser may ask for
   * permission.
   */
  readonly resume: (ids: readonly string[]) => Promise<void>
  /** Resumes every upload that matches one of these files; resolves to the files that match none. */
  readonly resumeMatching: (files: readonly File[]) => Promise<readonly File[]>
  /** Resumes the uploads that match these files and uploads the other files. */
  readonly addOrResume: (files: readonly File[], options?: UploadOptions) => Promise<void>
  /** Resumes one upload with a file that was chosen for it. */
  readonly resumeOne: (id: string, file: File) => Promise<void>
  /** Cancels uploads, here and on the server. */
  readonly discard: (ids: readonly string[]) => Promise<void>
  /** Whether the browser has no space to persist queued uploads. */
  readonly isStorageFull: Observable<boolean>
}

interface InterruptedUploadsDeps {
  readonly call: Call
  readonly findRootKey: FindRootKey
  /** The account by default. */
  readonly destination?: UploadDestination
  readonly persistedUploads: PersistedUploads
  readonly uploads: Pick<UploadQueue, 'add' | 'resume'>
}

/** New uploads wait at most this long for the first check of the interrupted ones. */
const firstCheckMs = 5000

export function createInterruptedUploads(deps: InterruptedUploadsDeps): InterruptedUploads {
  const { call, findRootKey, persistedUploads, uploads, destination = accountDestination } = deps
  const items = createSubject<readonly InterruptedUpload[]>([])
  let refreshing = new AbortController()
  let firstCheck: Promise<void> | null = null

  const find = (id: string) => items.current().find((item) => item.id === id)
  const removeFromList = (ids: ReadonlySet<string>) => items.set(items.current().filter(({ id }) => !ids.has(id)))
  const setError = (id: string, error: ResumeError) =>
    items.set(items.current().map((item) => (item.id === id ? { ...item, error } : item)))

  async function refresh(): Promise<void> {
    refreshing.abort()
    refreshing = new AbortController()
    const { signal } = refreshing
    const before = new Map(items.current().map((item) => [item.id, item]))
    const persisted = await persistedUploads.list()
    const { resumable, done } = await checkResumable(persisted, { call, findRootKey, destination, signal })
    if (signal.aborted) return
    if (done.length > 0) void persistedUploads.remove(done)
    // Unreachable uploads stay as they were and are checked the next time.
    const checked = new Set([...done, ...resumable.map(({ id }) => id)])
    const unknown = persisted.entries.filter(({ uploadId }) => !checked.has(uploadId))
    const shown = [
      ...resumable.map((upload) => ({ ...upload, error: before.get(upload.id)?.error ?? null })),
      ...unknown.flatMap(({ uploadId }) => before.get(uploadId) ?? []),
    ]
    items.set(shown.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })))
  }

  function check(): Promise<void> {
    const checked = refresh()
    firstCheck ??= checked
    return checked
  }

  /** Claims uploads and adds them to the queue, each with its file. */
  async function resumeFiles(filesById: ReadonlyMap<string, File>): Promise<void> {
    const resumed = [...filesById.keys()].flatMap((id) => find(id) ?? [])
    removeFromList(new Set(filesById.keys()))
    const journals = await persistedUploads.claim(resumed.map(({ entry }) => entry))
    // A small file may have been stored since it was checked. Where the list cannot be fetched, each upload checks by
    // itself.
    const stored = resumed.some(({ upload }) => upload.plan.isSingle) ? await storedEnvelopes(call) : null
    uploads.resume(
      resumed.flatMap(({ id, name, entry, upload }): UploadInput[] => {
        const [chosen, journal] = [filesById.get(id), journals.get(id)]
        if (!chosen || !journal) return []
        const [file, resumption] = [withFoldersOf(chosen, name), { persisted: entry, journal }]
        if (!stored || !upload.plan.isSingle) return [{ file, resumption }]
        if (!stored.has(entry.envelope)) return [{ file, pending: Promise.resolve(id) }]
        void journal.delete()
        return []
      }),
    )
  }

  async function discard(ids: readonly string[]): Promise<void> {
    const started = ids.filter((id) => (find(id)?.storedBytes ?? 0) > 0)
    removeFromList(new Set(ids))
    await persistedUploads.remove(ids)
    await Promise.all(
      started.map((id) =>
        cancelUpload(call, destination, id).catch((error) => ignore(error, 'the server expires the upload')),
      ),
    )
  }

  async function readSource(item: InterruptedUpload, mayPrompt: () => boolean): Promise<File | ResumeError> {
    const { way: fileHandle, heldBytes } = item.entry
    if (heldBytes)
      return (
        (await readPastedFile(item.upload, item).catch((error) => ignore(error, 'the user has to choose the file'))) ??
        'not-there'
      )
    if (!fileHandle) return 'not-there'
    if (!(await ensureReadPermission(fileHandle, mayPrompt()))) return 'not-allowed'
    const file = await readFromLocator(fileHandle).catch((error) => ignore(error, 'the user has to choose the file'))
    if (!file) return 'not-there'
    return matchesMetadata(file, item) ? file : item.storedBytes > 0 ? 'not-the-same' : 'changed'
  }

  async function resumeMatching(files: readonly File[]): Promise<readonly File[]> {
    const filesById = matchFiles(files, items.current())
    await resumeFiles(filesById)
    const resumed = new Set(filesById.values())
    return files.filter((file) => !resumed.has(file))
  }

  return {
    current: items.current,
    subscribe: items.subscribe,
    isStorageFull: persistedUploads.isStorageFull,
    refresh: check,
    discard,
    async resume(ids) {
      const filesById = new Map<string, File>()
      let isDenied = false
      for (const id of ids) {
        const item = find(id)
        if (item?.source !== 'at-hand') continue
        const file = await readSource(item, () => !isDenied)
        if (typeof file === 'string') {
          if (file === 'not-allowed') isDenied = true
          setError(id, file)
        } else filesById.set(id, file)
      }
      await resumeFiles(filesById)
    },
    resumeMatching,
    async addOrResume(files, options) {
      // Files that are chosen while the page starts may belong to uploads that are not listed yet.
      await Promise.race([firstCheck ?? check(), systemClock.wait(firstCheckMs)])
      if (items.current().length === 0) return forSlices(files, (slice) => uploads.add(slice, options))
      await forSlices(files, () => undefined)
      uploads.add(await resumeMatching(files), options)
    },
    async resumeOne(id, file) {
      const item = find(id)
      if (!item) return
      if (matchesMetadata(file, item)) return resumeFiles(new Map([[id, file]]))
      const isDifferentFile = item.storedBytes > 0 || file.name.normalize('NFC') !== lastPartOf(item.name)
      if (isDifferentFile) return setError(id, 'not-the-same')
      // Nothing was sent yet, so the changed file is uploaded as a new one.
      const { expirationMinutes } = item.entry
      await discard([id])
      uploads.add([withFoldersOf(file, item.name)], { expirationMinutes })
    },
  }
}

const maxSliceMs = 50

/**
 * Calls back with the files in slices, whose metadata has been read. The browser asks another process for the metadata of
 * each file, synchronously and once, which would block the page for seconds where thousands were chosen.
 */
async function forSlices(files: readonly File[], onSlice: (slice: readonly File[]) => void): Promise<void> {
  let slice: File[] = []
  let startedAt = performance.now()
  for (const file of files) {
    // Reading it is what takes the time.
    if (file.size >= 0) slice.push(file)
    if (performance.now() - startedAt < maxSliceMs) continue
    onSlice(slice)
    await systemClock.wait(0)
    slice = []
    startedAt = performance.now()
  }
  onSlice(slice)
}

/**
 * Attaches the folder path, which is shown with the name. The file is not copied, because a copy is no longer backed by
 * the disk.
 */
const withFoldersOf = (file: File, name: string): File =>
  foldersOf(name) === '' ? file : Object.assign(file, { path: name })

/**
 * Requests read permission where necessary and allowed. After one denial the user is not asked again for the next file.
 */
async function ensureReadPermission({ handle }: FileLocator, mayPrompt: boolean): Promise<boolean> {
  const descriptor = { mode: 'read' } as const
  if ((await (handle.queryPermission?.(descriptor) ?? 'granted')) === 'granted') return true
  if (!mayPrompt) return false
  const answer = await handle.requestPermission?.(descriptor).catch(() => 'denied')
  return answer === 'granted'
}
