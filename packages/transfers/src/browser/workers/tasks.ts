import type { FileKeys } from '@sallyport/crypto'
import type { ArchiveWorker } from '../../engine/archive/archive-worker.ts'
import type { DecryptWorker } from '../../engine/download/decrypt-worker.ts'
import type { Sink } from '../../engine/download/sink.ts'
import type { EncryptSource, EncryptWorker, SendOutcome } from '../../engine/upload/encrypt-worker.ts'
import type { PersistedUpload } from '../../engine/upload/journal.ts'
import type { PrepareUploadInput } from '../../engine/upload/prepare-upload.ts'

/*
 * What workers do for a page: complete operations, never single cryptographic steps. Arguments and results are
 * structured-cloneable; besides, an argument may be an AbortSignal or a callback that receives progress.
 */

/** One worker may encrypt several files; `fileNumber` identifies one of them. */
export interface EncryptTasks {
  /** Prepares uploads and returns what has to be persisted of each. */
  prepare(inputs: readonly PrepareUploadInput[]): Promise<readonly PersistedUpload[]>
  /** `folderName` names a folder in the origin's private file system, where it exists; null encrypts in memory. */
  open(fileNumber: number, source: EncryptSource, folderName: string | null): Promise<void>
  encryptAndSend(
    fileNumber: number,
    ...input: Parameters<EncryptWorker['encryptAndSend']>
  ): Promise<{
    readonly outcome: SendOutcome
    /** Whether the worker holds memory that is freed only when it is terminated. */
    readonly mayRetainBodies: boolean
  }>
  isUnchanged(fileNumber: number, ...input: Parameters<EncryptWorker['isUnchanged']>): Promise<boolean>
  close(fileNumber: number): Promise<void>
}

/** A name in the private file system, or the bytes themselves. */
export type SavedFile = { readonly privateName: string } | { readonly blob: Blob }

export interface OpenSinkInput {
  readonly keys: FileKeys
  /** The name in the origin's private file system, where it exists. */
  readonly privateName: string
  /** Whether it is a folder that an earlier attempt may have left and that a later one may resume. */
  readonly isPartial: boolean
}

export interface DecryptTasks extends Pick<DecryptWorker<SavedFile>, 'receive' | 'close' | 'abort'> {
  open(input: OpenSinkInput): Promise<Pick<Sink<SavedFile>, 'storage' | 'isSeekable' | 'writtenRecords'>>
  suspend(): Promise<void>
  /** Gives the other end of the port access to the staged records. */
  serveStaged(port: MessagePort): Promise<void>
}

/** Sealed records in the private file system. */
export interface StagedRecordTasks {
  put(position: number, sealed: Uint8Array<ArrayBuffer>): Promise<void>
  /** A staged record, decrypted; null where there is none. Rejects where it was changed since. */
  read(index: number): Promise<Uint8Array<ArrayBuffer> | null>
}

export interface ArchiveTasks extends Omit<ArchiveWorker<SavedFile>, 'reserve'> {
  /** `privateName` is the name in the origin's private file system, where it exists. */
  reserve(bytes: number, privateName: string): Promise<'disk' | 'memory'>
}

/** A file in the private file system that is written in pieces at any position, encrypted until it is complete. */
export interface StagedFileTasks {
  /**
   * The key encrypts the stored bytes, and a resuming page passes it again; it is null for a file that is discarded
   * with its page.
   */
  open(privateName: string, bytes: number, key: Uint8Array<ArrayBuffer> | null): Promise<void>
  write(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void>
  flush(): Promise<void>
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  finish(bytes: number): Promise<void>
  /** Closes the file and leaves it to a later page. */
  release(): Promise<void>
  remove(): Promise<void>
}

/** Encrypts and decrypts whole files of a few megabytes in memory. */
export interface PastedFileTasks {
  encrypt(keys: FileKeys, file: File): Promise<Uint8Array<ArrayBuffer>>
  decrypt(keys: FileKeys, sealed: Uint8Array<ArrayBuffer>): Promise<Blob>
}
