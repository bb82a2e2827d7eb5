/** What a stranger may know of a shared file before it is theirs. */
export interface SharedFile {
  readonly name: string
  readonly sizeBytes: number
  /** Epoch milliseconds; null when the server did not tell. */
  readonly expiresAt: number | null
}

export type ShareView =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly file: SharedFile }
  | {
      readonly state: 'downloading'
      readonly file: SharedFile
      readonly deliveredBytes: number
      /** Smoothed; null until it can be told. */
      readonly bytesPerSecond: number | null
      readonly secondsLeft: number | null
      /** Much of it is kept in memory, since the browser has no better place for it. */
      readonly isHeavy: boolean
    }
  | {
      readonly state: 'complete'
      readonly file: SharedFile
      /** Whether the link gives the file once more. */
      readonly repeat: 'checking' | 'possible' | 'used-up'
    }
  | {
      readonly state: 'unavailable'
      /** The exact cause, in one sentence. */
      readonly cause: string
      /** True where trying again may help, as after a lost network. */
      readonly canRetry: boolean
    }
  | {
      readonly state: 'missing-key'
      /** The link as it was opened, which has nothing after #. */
      readonly link: string
    }
