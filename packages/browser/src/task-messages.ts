import type { ClientErrorCode } from '@sallyport/client/errors'

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
  | { readonly number: number; readonly failure: TaskFailure }

/** A failed task. An error with a code has a sentence for the user; the text is for developers. */
export interface TaskFailure {
  readonly code: ClientErrorCode | null
  /** The chunk or record that failed, if it was a single one. */
  readonly index: number | undefined
  readonly text: string
}
