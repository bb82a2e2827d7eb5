import { createSubject, type Observable } from '@sallyport/client/observable'
import type { FileSource } from '@sallyport/client/upload/file-source'
import type { UploadJournal } from '@sallyport/client/upload/journal'
import { keptOf, type NotedUpload, type PreparedUpload } from '@sallyport/client/upload/prepare-upload'
import { isPasted, wayTo } from '#/ui/file-handles.ts'
import { hold } from './held-files.ts'
import { type KeptEntry, type KeptStep, readBegun, readImprints, readKept, removeIn } from './kept-store.ts'
import { createKeptWriter } from './kept-writer.ts'
import { claimPage, livingPages } from './upload-claims.ts'

/** For so long uploads are kept that nobody goes on with. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/** A new upload and its file. */
interface NewUpload {
  readonly upload: PreparedUpload
  readonly file: FileSource
}

/** What is left of earlier visits. */
export interface LeftUploads {
  readonly entries: readonly KeptEntry[]
  /** Those of which something may have been sent. */
  readonly begun: ReadonlySet<string>
}

/** The uploads of one account or session that this browser could go on with. Nothing here rejects: an upload goes on without, too. */
export interface KeptUploads {
  /** Notes uploads, which this page alone may go on with for as long as it lives; waits for nothing to be written. */
  readonly note: (uploads: readonly NewUpload[]) => Promise<readonly NotedUpload[]>
  /** Those that no page has in hand. */
  readonly list: () => Promise<LeftUploads>
  /** Takes some of the list in hand; without those that another page has taken in the meantime. */
  readonly claim: (entries: readonly KeptEntry[]) => Promise<ReadonlyMap<string, UploadJournal>>
  /** Leaves one that this page has in hand to any page; settles when they can take it. */
  readonly release: (uploadId: string) => Promise<void>
  readonly remove: (uploadIds: Iterable<string>) => Promise<void>
  /** Removes everything of this account or session. */
  readonly forget: () => Promise<void>
  /** Whether the browser has found no room for notes. */
  readonly isFull: Observable<boolean>
  /** Leaves everything and writes nothing more. */
  readonly close: () => void
}

export function createKeptUploads(holder: string): KeptUploads {
  const page = crypto.randomUUID()
  const isFull = createSubject(false)
  const writer = createKeptWriter()
  let claiming: ReturnType<typeof claimPage> | null = null

  const write = (change: (step: KeptStep) => unknown): Promise<void> => writer.write(change).catch(() => undefined)

  async function claimOwnPage(): Promise<void> {
    claiming ??= claimPage(page)
    await claiming.catch(() => undefined)
  }

  function journalOf(uploadId: string, imprints = new Map<number, Uint8Array<ArrayBuffer>>()): UploadJournal {
    return {
      imprints: async () => imprints,
      async note(chunkIndex, made) {
        imprints.set(chunkIndex, made)
        await write(async (step) => {
          const isKept = (await step.objectStore('uploads').getKey(uploadId)) !== undefined
          if (isKept) await step.objectStore('imprints').put(made, [uploadId, chunkIndex])
        })
      },
      async end() {
        // Not waited for: what is done is known to be done by its id or its envelope, should this be lost.
        void write((step) => removeIn(step, uploadId))
      },
    }
  }

  async function note(uploads: readonly NewUpload[]): Promise<readonly NotedUpload[]> {
    const [ways] = await Promise.all([Promise.all(uploads.map(({ file }) => wayOf(file))), claimOwnPage()])
    const entries = uploads.map(({ upload, file }, place): KeptEntry => {
      const heldBytes = isPastedFile(file) ? 0 : null
      return { ...keptOf(upload), holder, page, notedAt: Date.now(), way: ways[place] ?? null, heldBytes }
    })
    writer.write((step) => Promise.all(entries.map((entry) => putEntry(step, entry)))).catch(() => isFull.set(true))
    for (const { upload, file } of uploads) if (isPastedFile(file)) void hold({ writer, upload, file })
    return uploads.map(({ upload }) => ({ upload, kept: keptOf(upload), journal: journalOf(upload.uploadId) }))
  }

  return {
    note,
    isFull,
    async list() {
      const living = await livingPages().catch(() => new Set())
      const entries = await readKept().catch(() => [])
      const isOver = ({ notedAt }: KeptEntry) => Date.now() - notedAt > keptMs
      const over = entries.filter(isOver)
      if (over.length > 0) void write((step) => Promise.all(over.map(({ uploadId }) => removeIn(step, uploadId))))
      const left = entries.filter((entry) => entry.holder === holder && !living.has(entry.page ?? '') && !isOver(entry))
      return { entries: left, begun: left.length > 0 ? await readBegun().catch(() => new Set<string>()) : new Set() }
    },
    async claim(entries) {
      await claimOwnPage()
      const taken: string[] = []
      await write((step) =>
        Promise.all(entries.map(async (entry) => (await take(step, entry, page)) && taken.push(entry.uploadId))),
      )
      const begun = await readBegun().catch(() => new Set())
      const imprintsOf = (uploadId: string) =>
        begun.has(uploadId) ? readImprints(uploadId).catch(() => undefined) : undefined
      return new Map(await Promise.all(taken.map(async (id) => [id, journalOf(id, await imprintsOf(id))] as const)))
    },
    release: (uploadId) =>
      write(async (step) => {
        const entry = await step.objectStore('uploads').get(uploadId)
        if (entry) await step.objectStore('uploads').put({ ...entry, page: null })
      }),
    remove: (uploadIds) => write((step) => Promise.all([...uploadIds].map((uploadId) => removeIn(step, uploadId)))),
    forget: () =>
      write(async (step) => {
        const entries = await step.objectStore('uploads').getAll()
        await Promise.all(
          entries.filter((entry) => entry.holder === holder).map(({ uploadId }) => removeIn(step, uploadId)),
        )
      }),
    close() {
      writer.close()
      void claiming?.then((letGo) => letGo?.()).catch(() => undefined)
    },
  }
}

const wayOf = (file: FileSource) => (file instanceof File ? wayTo(file) : null)
const isPastedFile = (file: FileSource): file is File => file instanceof File && isPasted(file)

/** Without its way where the browser cannot keep that. */
async function putEntry(step: KeptStep, entry: KeptEntry): Promise<unknown> {
  const store = step.objectStore('uploads')
  try {
    return await store.put(entry)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataCloneError') return store.put({ ...entry, way: null })
    throw error
  }
}

/** Whether it is still as it was when it was listed; then it belongs to this page from here on. */
async function take(step: KeptStep, { uploadId, page: before }: KeptEntry, page: string): Promise<boolean> {
  const store = step.objectStore('uploads')
  const entry = await store.get(uploadId)
  if (entry?.page !== before) return false
  await store.put({ ...entry, page })
  return true
}
