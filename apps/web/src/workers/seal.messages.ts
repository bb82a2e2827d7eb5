import type { LaneProgress, SealSource, SealTask, SendOutcome } from '@sallyport/client/upload/seal-lane'

/** What the page asks of the worker that seals. Tasks are told apart by their number. */
export type SealRequest =
  | { readonly kind: 'open'; readonly source: SealSource }
  | { readonly kind: 'seal-and-send'; readonly number: number; readonly task: SealTask }
  | { readonly kind: 'abort'; readonly number: number }

export type SealReport =
  | { readonly kind: 'progress'; readonly number: number; readonly progress: LaneProgress }
  | { readonly kind: 'settled'; readonly number: number; readonly outcome: SendOutcome }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string }
