/** What identifies an upload later. The server has all of it too; only the root key opens it. */
export interface PersistedUpload {
  readonly uploadId: string
  readonly envelope: string
  readonly sealedName: string
  /** Plain bytes of every chunk except the last. */
  readonly chunkBytes: number
  readonly expirationMinutes: number | undefined
}

/** Records which bytes of one upload were sealed. Its promises never reject: an upload continues without a journal. */
export interface UploadJournal {
  /** Stores the digests of all records of a chunk, concatenated; replaces earlier ones. */
  write(chunkIndex: number, recordDigests: Uint8Array<ArrayBuffer>): Promise<void>
  /** The record digests of every chunk that was ever sealed. */
  recordDigests(): Promise<ReadonlyMap<number, Uint8Array>>
  /** Deletes the journal: the upload cannot be resumed any more. */
  delete(): Promise<void>
}

export type OpenJournal = (upload: PersistedUpload) => Promise<UploadJournal>

/** A journal in memory; it is lost with the page. */
export const openMemoryJournal: OpenJournal = async () => {
  const digests = new Map<number, Uint8Array>()
  return {
    write: async (chunkIndex, recordDigests) => void digests.set(chunkIndex, recordDigests),
    recordDigests: async () => digests,
    delete: async () => digests.clear(),
  }
}
