import type { TransferJob } from '@sallyport/transfers/engine/job'

/** Metadata of a shared file that is shown before the download. */
export interface SharedFile {
  readonly name: string
  readonly sizeBytes: number
  /** Epoch milliseconds; null if the server did not send it. */
  readonly expiresAt: number | null
}

export type ShareView =
  | { readonly state: 'loading'; readonly isServerAway: boolean }
  | { readonly state: 'ready'; readonly file: SharedFile }
  | { readonly state: 'downloading'; readonly file: SharedFile; readonly job: TransferJob }
  | {
      readonly state: 'complete'
      readonly file: SharedFile
      /** Whether the link can be used again. */
      readonly repeat: 'checking' | 'possible' | 'used-up'
    }
  | {
      readonly state: 'unavailable'
      /** The cause as a sentence. */
      readonly cause: string
      /** What to do, or why it may have happened. */
      readonly hint: string
      /** True if a retry may help, for example after a network failure. */
      readonly canRetry: boolean
    }
  | {
      readonly state: 'missing-key'
      /** The link as it was opened, without a fragment. */
      readonly link: string
    }
