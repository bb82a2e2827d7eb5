import {
  journalInMemory,
  type KeptUpload,
  type OpenJournal,
  type UploadJournal,
} from '@sallyport/client/upload/journal'
import { type KeptEntry, putImprints, putKept, readImprints, readKept, removeKept } from './kept-store.ts'
import { claimedUploads, claimUpload, type LetGo } from './upload-claims.ts'

/** The uploads of one account that this browser could go on with. Nothing here rejects: an upload goes on without, too. */
export interface KeptUploads {
  /** For a new upload, which this page alone may go on with for as long as it lives. */
  readonly begin: (handle: Promise<FileSystemFileHandle | null>) => OpenJournal
  /** Those that no page has claimed. */
  readonly list: () => Promise<readonly KeptEntry[]>
  /** For one of the list; null when another page was faster. */
  readonly claim: (kept: KeptUpload) => Promise<UploadJournal | null>
  /** Leaves one that this page had claimed to any page; settles when they can take it. */
  readonly release: (uploadId: string) => Promise<void>
  readonly remove: (uploadId: string) => Promise<void>
  /** Leaves everything and writes nothing more. */
  readonly close: () => void
}

export function createKeptUploads(userId: string): KeptUploads {
  const claims = new Map<string, LetGo>()
  let isClosed = false

  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    if (!isClosed) await work().catch(() => undefined)
  }

  async function release(uploadId: string): Promise<void> {
    const letGo = claims.get(uploadId)
    claims.delete(uploadId)
    await letGo?.().catch(() => undefined)
  }

  async function claim(kept: KeptUpload): Promise<UploadJournal | null> {
    const { uploadId } = kept
    const letGo = await claimUpload(uploadId)
    if (!letGo) return null
    claims.set(uploadId, letGo)
    const journal = await journalInMemory(kept)
    return {
      imprints: journal.imprints,
      async note(chunkIndex, made) {
        await journal.note(chunkIndex, made)
        await quietly(() => putImprints(uploadId, chunkIndex, made))
      },
      async end() {
        await quietly(() => removeKept(uploadId))
        await release(uploadId)
      },
    }
  }

  return {
    begin: (handle) => async (kept) => {
      const journal = await claim(kept)
      const entry = { ...kept, userId, begunAt: Date.now(), handle: await handle }
      // Without a handle where this one cannot be stored.
      await quietly(() => putKept(entry).catch(() => putKept({ ...entry, handle: null })))
      return journal ?? journalInMemory(kept)
    },
    async list() {
      const claimed = await claimedUploads().catch(() => new Set())
      const entries = await readKept(userId).catch(() => [])
      return entries.filter(({ uploadId }) => !claimed.has(uploadId))
    },
    async claim(kept) {
      const journal = await claim(kept)
      if (!journal) return null
      const imprints = await readImprints(kept.uploadId).catch(() => new Map<number, Uint8Array<ArrayBuffer>>())
      for (const [index, made] of imprints) await journal.note(index, made)
      return journal
    },
    release,
    remove: (uploadId) => quietly(() => removeKept(uploadId)),
    close() {
      isClosed = true
      for (const uploadId of [...claims.keys()]) void release(uploadId)
    },
  }
}
