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
  | {
      readonly state: 'downloading'
      readonly file: SharedFile
      readonly deliveredBytes: number
      /** Smoothed; null until it is known. */
      readonly bytesPerSecond: number | null
      readonly secondsLeft: number | null
      /** A large download is buffered in memory, because the browser supports no streaming to disk. */
      readonly isMemoryHeavy: boolean
      /** The file has arrived and is decrypted on the disk; `deliveredBytes` counts what is decrypted. */
      readonly isDecrypting?: boolean
      /** The server is away; the download continues when it is back. */
      readonly isPaused?: boolean
    }
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
