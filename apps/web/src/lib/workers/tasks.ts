import type { ArchiveWorker } from '@sallyport/client/archive/archive-worker'
import type { DecryptWorker } from '@sallyport/client/download/decrypt-worker'
import type { Sink } from '@sallyport/client/download/sink'
import type { EncryptSource, EncryptWorker, SendOutcome } from '@sallyport/client/upload/encrypt-worker'
import type { DerivationProfile, FileKeys, LoginSecrets } from '@sallyport/crypto'

/*
 * What workers do for a page: complete operations, never single cryptographic steps. Arguments and results are
 * structured-cloneable; besides, an argument may be an AbortSignal or a callback that receives progress.
 */

/** One worker may encrypt several files; `fileNumber` identifies one of them. */
export interface EncryptTasks {
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

export interface DeriveTasks {
  loginSecrets(input: {
    readonly password: string
    readonly salt: Uint8Array
    readonly profile: DerivationProfile
  }): Promise<LoginSecrets>
  masterKey(input: { readonly password: string; readonly userId: string }): Promise<Uint8Array<ArrayBuffer>>
}

/** From 0, guessed immediately, to 4. */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

export interface PasswordStrength {
  readonly score: PasswordScore
  /** The name of the main reason why it is easy to guess, such as `dates`; null where there is none. */
  readonly warning: string | null
}

export interface StrengthTasks {
  /** `userData` is what others know about the user, such as the email address. */
  judge(password: string, userData: readonly string[]): Promise<PasswordStrength>
}

/** An argument on its way to a worker. Callbacks and signals stay here; the worker gets substitutes. */
export type TaskArgument = { readonly value: unknown } | 'callback' | 'signal'

/** Sent to the worker. Tasks run concurrently; the number identifies one. Without a name it aborts the task. */
export type TaskRequest =
  | { readonly number: number; readonly name: string; readonly inputs: readonly TaskArgument[] }
  | { readonly number: number; readonly isAborted: true }

/** Sent by the worker, once its code runs and about each task. */
export type TaskReport =
  | { readonly isReady: true }
  | { readonly number: number; readonly progress: unknown }
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: string }
