import type { ReceiveProgress, ReceiveState } from '../download/download-state.ts'
import type { TransferEnd } from '../transfer.ts'

export type ArchiveState<Saved> =
  | ReceiveState
  /** A file could not be downloaded; the user has to retry it, skip it or cancel. */
  | ({ readonly status: 'stuck'; readonly fileName: string; readonly error: Error } & ReceiveProgress)
  | ArchiveEnd<Saved>

export type ArchiveEnd<Saved> = TransferEnd<{
  readonly saved: Saved
  /** Names of the files that the user skipped. */
  readonly skipped: readonly string[]
}>
