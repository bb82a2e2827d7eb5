import { createClaims, type ReleaseClaim } from '@sallyport/browser/locks'
import { createSubject, type Observable } from '@sallyport/client/observable'
import { ignore } from '@sallyport/contract/ignore'
import type { FileKeys } from '@sallyport/crypto'
import type { FileSource } from '../../engine/upload/file-source.ts'
import type { PersistedUpload, UploadJournal } from '../../engine/upload/journal.ts'
import type { Resumption } from '../../engine/upload/prepare-upload.ts'
import { isPasted, locatorOf } from './file-handles.ts'
import { storePastedFile } from './pasted-files.ts'
import {
  readRecordDigests,
  readStartedIds,
  readUploads,
  removeUpload,
  type StoredUpload,
  type UploadTransaction,
} from './upload-store.ts'
import { createUploadStoreWriter } from './upload-store-writer.ts'

/** Persisted uploads that nobody resumes are removed after this time. */
const retentionMs = 7 * 24 * 60 * 60 * 1000

type RecordDigests = Map<number, Uint8Array<ArrayBuffer>>

/** A new upload and its file. */
export interface NewUpload {
  readonly persisted: PersistedUpload
  readonly file: FileSource
  /** Its keys, where a pasted file is to be stored under them. */
  readonly keys?: FileKeys | undefined
}

/** Persisted uploads of earlier visits. */
export interface ResumableUploads {
  readonly entries: readonly StoredUpload[]
  /** The ids of uploads whose chunks may have been sent. */
  readonly startedIds: ReadonlySet<string>
}

/**
 * The resumable uploads of one account or session in this browser. No method rejects, because an upload works without
 * persistence.
 */
export interface PersistedUploads {
  /** Persists uploads and claims them for this page while it is open. Does not wait for the write. */
  readonly persist: (uploads: readonly NewUpload[]) => Promise<readonly Resumption[]>
  /** Finds an upload of this page; null where it could not be written. */
  readonly find: (uploadId: string) => Promise<Resumption | null>
  /** Lists the uploads that no open page owns. */
  readonly list: () => Promise<ResumableUploads>
  /** Claims uploads of the list, except those that another page has claimed in the meantime. */
  readonly claim: (entries: readonly StoredUpload[]) => Promise<ReadonlyMap<string, UploadJournal>>
  /** Releases an upload of this page; resolves when other pages can claim it. */
  readonly release: (uploadId: string) => Promise<void>
  readonly remove: (uploadIds: Iterable<string>) => Promise<void>
  /** Removes all uploads of this account or session. */
  readonly removeAll: () => Promise<void>
  /** Whether the browser had no space to persist an upload. */
  readonly isStorageFull: Observable<boolean>
  /** Releases all uploads and stops writing. */
  readonly close: () => void
}

export function createPersistedUploads(holder: string): PersistedUploads {
  const page = crypto.randomUUID()
  const isStorageFull = createSubject(false)
  const writer = createUploadStoreWriter()
  /** The browser releases the claim of a page when it is closed or killed. */
  const pages = createClaims('upload-page-')
  let pageClaim: Promise<ReleaseClaim | null> | null = null

  const write = (update: (transaction: UploadTransaction) => unknown): Promise<void> =>
    writer.write(update).catch((error) => ignore(error, 'an upload works without persistence'))

  async function claimThisPage(): Promise<void> {
    pageClaim ??= pages.claim(page)
    await pageClaim.catch((error) => ignore(error, 'other pages may resume the uploads'))
  }

  /** `isOneRow` if nothing but its row is stored of an upload yet. */
  function journalOf(uploadId: string, isOneRow: boolean, persisted?: RecordDigests): UploadJournal {
    let digests = persisted
    return {
      recordDigests: async () => digests ?? new Map(),
      async write(chunkIndex, digest) {
        digests ??= new Map()
        digests.set(chunkIndex, digest)
        await write(async (transaction) => {
          const isPersisted = (await transaction.objectStore('uploads').getKey(uploadId)) !== undefined
          if (isPersisted) await transaction.objectStore('imprints').put(digest, [uploadId, chunkIndex])
        })
      },
      async delete() {
        // Not awaited: if this write is lost, the server's upload id or envelope shows later that the upload is
        // complete.
        void write((transaction) =>
          isOneRow && !digests
            ? transaction.objectStore('uploads').delete(uploadId)
            : removeUpload(transaction, uploadId),
        )
      },
    }
  }

  async function persist(uploads: readonly NewUpload[]): Promise<readonly Resumption[]> {
    const [handles] = await Promise.all([Promise.all(uploads.map(({ file }) => fileHandleOf(file))), claimThisPage()])
    const entries = uploads.map(({ persisted, file }, index): StoredUpload => {
      const heldBytes = isPastedFile(file) ? 0 : null
      return { ...persisted, holder, page, notedAt: Date.now(), way: handles[index] ?? null, heldBytes }
    })
    writer
      .write((transaction) => Promise.all(entries.map((entry) => putEntry(transaction, entry))), {
        createsDatabase: true,
      })
      .catch(() => isStorageFull.set(true))
    for (const { persisted, file, keys } of uploads)
      if (keys && isPastedFile(file))
        void storePastedFile({ writer, upload: { uploadId: persisted.uploadId, keys }, file })
    return uploads.map(({ persisted, file }) => ({
      persisted,
      journal: journalOf(persisted.uploadId, !isPastedFile(file)),
    }))
  }

  return {
    persist,
    isStorageFull,
    async find(uploadId) {
      let entry: StoredUpload | undefined
      await write(async (transaction) => {
        entry = await transaction.objectStore('uploads').get(uploadId)
      })
      return entry ? { persisted: entry, journal: journalOf(uploadId, entry.heldBytes === null) } : null
    },
    async list() {
      const openPages = await pages.claimedIds().catch(() => new Set())
      const entries = await readUploads().catch(() => [])
      const isExpired = ({ notedAt }: StoredUpload) => Date.now() - notedAt > retentionMs
      const expired = entries.filter(isExpired)
      if (expired.length > 0)
        void write((transaction) => Promise.all(expired.map(({ uploadId }) => removeUpload(transaction, uploadId))))
      const resumable = entries.filter(
        (entry) => entry.holder === holder && !openPages.has(entry.page ?? '') && !isExpired(entry),
      )
      return {
        entries: resumable,
        startedIds: resumable.length > 0 ? await readStartedIds().catch(() => new Set<string>()) : new Set(),
      }
    },
    async claim(entries) {
      await claimThisPage()
      const claimedIds: string[] = []
      await write((transaction) =>
        Promise.all(
          entries.map(async (entry) => (await claimEntry(transaction, entry, page)) && claimedIds.push(entry.uploadId)),
        ),
      )
      const startedIds = await readStartedIds().catch(() => new Set())
      const digestsOf = (uploadId: string) =>
        startedIds.has(uploadId) ? readRecordDigests(uploadId).catch(() => undefined) : undefined
      return new Map(
        await Promise.all(claimedIds.map(async (id) => [id, journalOf(id, false, await digestsOf(id))] as const)),
      )
    },
    release: (uploadId) =>
      write(async (transaction) => {
        const entry = await transaction.objectStore('uploads').get(uploadId)
        if (entry) await transaction.objectStore('uploads').put({ ...entry, page: null })
      }),
    remove: (uploadIds) =>
      write((transaction) => Promise.all([...uploadIds].map((uploadId) => removeUpload(transaction, uploadId)))),
    removeAll: () =>
      write(async (transaction) => {
        const entries = await transaction.objectStore('uploads').getAll()
        await Promise.all(
          entries.filter((entry) => entry.holder === holder).map(({ uploadId }) => removeUpload(transaction, uploadId)),
        )
      }),
    close() {
      writer.close()
      void pageClaim?.then((release) => release?.()).catch(() => undefined)
    },
  }
}

const fileHandleOf = (file: FileSource) => (file instanceof File ? locatorOf(file) : null)
export const isPastedFile = (file: FileSource): file is File => file instanceof File && isPasted(file)

/** Stores the entry without its file handle where the browser cannot clone that. */
async function putEntry(transaction: UploadTransaction, entry: StoredUpload): Promise<unknown> {
  const store = transaction.objectStore('uploads')
  try {
    return await store.put(entry)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataCloneError') return store.put({ ...entry, way: null })
    throw error
  }
}

/** Assigns an entry to this page. Returns false where it has changed since it was listed. */
async function claimEntry(
  transaction: UploadTransaction,
  { uploadId, page: listedPage }: StoredUpload,
  page: string,
): Promise<boolean> {
  const store = transaction.objectStore('uploads')
  const entry = await store.get(uploadId)
  if (entry?.page !== listedPage) return false
  await store.put({ ...entry, page })
  return true
}
