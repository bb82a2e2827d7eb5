import type { ReceiveOutcome, ReceiveTask } from '@sallyport/client/download/receive-task'
import type { Sink } from '@sallyport/client/download/sink'
import type { CheckTask, LaneProgress, SealSource, SealTask, SendOutcome } from '@sallyport/client/upload/seal-lane'
import type { DerivationProfile, FileKeys, LoginSecrets } from '@sallyport/crypto'

/** What a worker can be asked to do: whole pieces of work, never single steps of cryptography. */
export interface Task {
  readonly ask: unknown
  readonly progress: unknown
  readonly result: unknown
}

interface OpenSealAsk {
  readonly source: SealSource
  /** The name of a folder in the origin's private file system, where there is one. */
  readonly folderName: string
}

interface SealedAndSent {
  readonly outcome: SendOutcome
  /** Whether the worker holds memory that only its end gives back. */
  readonly leavesCopies: boolean
}

export type SealTasks = {
  open: { ask: OpenSealAsk; progress: never; result: undefined }
  'is-unchanged': { ask: CheckTask; progress: never; result: boolean }
  'seal-and-send': { ask: SealTask; progress: LaneProgress; result: SealedAndSent }
}

export interface OpenSinkAsk {
  readonly keys: FileKeys
  /** The name in the origin's private file system, where there is one. */
  readonly privateName: string
  /** Whether it is a folder that an earlier attempt may have left, and a later one may find. */
  readonly isPartial: boolean
}

type OpenedSink = Pick<Sink<SavedFile>, 'place' | 'isSeekable' | 'kept'>

/** A name in the private file system, or the bytes themselves. */
export type SavedFile = { readonly privateName: string } | { readonly blob: Blob }

export type OpenTasks = {
  open: { ask: OpenSinkAsk; progress: never; result: OpenedSink }
  receive: { ask: ReceiveTask; progress: number; result: ReceiveOutcome }
  close: { ask: null; progress: never; result: SavedFile }
  abort: { ask: null; progress: never; result: undefined }
  leave: { ask: null; progress: never; result: undefined }
}

interface KeepAsk {
  readonly privateName: string
  readonly bytes: number
  /** Encrypts what lies there, and is given again by a page that resumes; null for a file that ends with its page. */
  readonly key: Uint8Array<ArrayBuffer> | null
}

/** A file of the private file system that is written in pieces, wherever they lie in it, and encrypted until it is whole. */
export type KeepTasks = {
  open: { ask: KeepAsk; progress: never; result: undefined }
  write: {
    ask: { readonly bytes: Uint8Array<ArrayBuffer>; readonly position: number }
    progress: never
    result: undefined
  }
  flush: { ask: null; progress: never; result: undefined }
  read: {
    ask: { readonly position: number; readonly length: number }
    progress: never
    result: Uint8Array<ArrayBuffer>
  }
  finish: { ask: { readonly bytes: number }; progress: never; result: undefined }
  leave: { ask: null; progress: never; result: undefined }
  remove: { ask: null; progress: never; result: undefined }
}

export type DeriveTasks = {
  'login-secrets': {
    ask: { readonly password: string; readonly salt: Uint8Array; readonly profile: DerivationProfile }
    progress: never
    result: LoginSecrets
  }
  'master-key': {
    ask: { readonly password: string; readonly userId: string }
    progress: never
    result: Uint8Array<ArrayBuffer>
  }
}

/** From 0, guessed at once, to 4. */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

export interface PasswordStrength {
  readonly score: PasswordScore
  /** What makes it easy to guess, if one thing does. */
  readonly warning: string | null
}

export type StrengthTasks = {
  judge: {
    ask: {
      readonly password: string
      /** What others know of the person, such as their address. */
      readonly own: readonly string[]
    }
    progress: never
    result: PasswordStrength
  }
}

/** To the worker. Several tasks may run at once; their number tells them apart. */
export type TaskRequest =
  | { readonly number: number; readonly kind: string; readonly ask: unknown }
  | { readonly number: number; readonly kind: 'stop-task' }

/** From the worker. */
export type TaskReport =
  | { readonly number: number; readonly progress: unknown }
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: string }
