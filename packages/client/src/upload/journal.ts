/** What names an upload again later. All of it is on the server too; only the account key opens it. */
export interface KeptUpload {
  readonly uploadId: string
  readonly envelope: string
  readonly sealedName: string
  /** Plain bytes of every chunk but the last. */
  readonly chunkBytes: number
  readonly expirationMinutes: number | undefined
}

/** Remembers of one upload which bytes were sealed. None of its promises reject: an upload goes on without, too. */
export interface UploadJournal {
  /** Takes the imprints of all records of a chunk, end to end, in place of earlier ones. */
  note(chunkIndex: number, imprints: Uint8Array<ArrayBuffer>): Promise<void>
  /** The imprints of every chunk that was ever sealed. */
  imprints(): Promise<ReadonlyMap<number, Uint8Array>>
  /** There is nothing to go on with any more. */
  end(): Promise<void>
}

export type OpenJournal = (kept: KeptUpload) => Promise<UploadJournal>

/** An upload that is noted and has come to neither of its ends. */
export interface Resumption {
  readonly kept: KeptUpload
  readonly journal: UploadJournal
}

/** A journal that is gone with the page. */
export const journalInMemory: OpenJournal = async () => {
  const imprints = new Map<number, Uint8Array>()
  return {
    note: async (chunkIndex, made) => void imprints.set(chunkIndex, made),
    imprints: async () => imprints,
    end: async () => imprints.clear(),
  }
}
