import { gigabyte, hour, kilobyte, megabyte, minute, second } from './units.ts'

/** In separate files, so that only pages with accounts, portals or sessions load them. */
export { authSessionLimits, licenceLimits, messageLimits, mfaLimits, passwordLimits } from './account-limits.ts'
export { legacyPortalLimits, portalLimits, portalRoomLimits } from './portal-limits.ts'
export { sessionLimits } from './session-limits.ts'

/** Smaller files are uploaded in a single request. */
export const smallFileBytes = 5 * megabyte

/** Downloads up to this size may be held in memory if the browser has no storage to stream to. */
export const largeDownloadBytes = 100 * megabyte

/** The longest chunk the server accepts: 32 MB of plain bytes, sealed in the smallest records that are allowed. */
export const maximumChunkBytes = 32 * megabyte
export const smallestRecordBytes = 64 * kilobyte
export const largestRecordBytes = 32 * megabyte
export const recordOverheadBytes = 28
export const maximumSealedChunkBytes =
  maximumChunkBytes + (maximumChunkBytes / smallestRecordBytes) * recordOverheadBytes

/** The number of plain bytes of one upload request, by the size of the file and the available memory. */
export function chunkBytesFor(plainBytes: number, availableMemoryBytes = Number.POSITIVE_INFINITY): number {
  if (availableMemoryBytes < 15 * megabyte) return 4 * megabyte
  if (plainBytes > 10 * gigabyte) return 32 * megabyte
  if (plainBytes > 50 * megabyte) return 16 * megabyte
  return 8 * megabyte
}

export const transferLimits = {
  minInFlight: 2,
  maxInFlight: 3,
  retryDelaysMs: [1 * second, 2 * second, 4 * second],
  chunkTimeoutMs: 300 * second,
  completionTimeoutMs: 60 * second,
  downloadTimeoutMs: 1 * hour,
  progressEveryMs: 250,
  warmEveryMs: 30 * second,
  warmConnections: 2,
  uploadCardClearsAfterMs: 2 * second,
  cancelMessageMs: 3 * second,
  newUploadAfterCancelMs: 100,
} as const

export const uploadLimits = {
  leaseMs: 15 * minute,
  abandonedAfterMs: 24 * hour,
  openPerAccount: 10,
  filesPerAccount: 10_000,
  /** An upload that moves fewer bytes than this in a stall period is aborted. */
  stallMs: 60 * second,
  stallBytes: 1 * kilobyte,
} as const

/**
 * Uploads by WebSocket: how often the server reports at least how far it has read, and how far a sender may be ahead.
 */
export const uploadSocketLimits = {
  progressEveryBytes: 1 * megabyte,
  aheadBytes: 8 * megabyte,
} as const

export const shareLimits = {
  /** The largest download limit of a link. */
  maxDownloads: 1000,
  labelCharacters: 80,
  /**
   * How long a started download holds its lease among the allowed downloads, and how long after its connection was
   * lost.
   */
  leaseMs: 1 * hour,
  leaseAfterDisconnectMs: 60 * second,
  /** How often an active download extends its lease; shorter than the lease after a lost connection. */
  extendLeaseEveryMs: 20 * second,
  /** The number of active shares of one file. */
  perFile: 20,
  /** How much a counted download may transfer beyond the file and an eighth of it, to fetch parts again. */
  resumeBytes: 8 * megabyte,
  /** Bytes of a limited share are accounted in slices of at least this size. */
  minSliceBytes: 64 * kilobyte,
} as const

export const expirationLimits = {
  defaultMinutes: 5,
  offeredMinutes: [1, 5, 15, 30, 60, 180, 720, 1440, 4320, 10_080],
  /** The choices a client shows when the server sends none. */
  defaultChoiceMinutes: [1, 5, 15, 30, 60, 180, 720],
  /** The choices a client shows when the server has no settings (404). */
  fallbackChoiceMinutes: [5, 15, 30, 60, 120, 360, 720, 1440, 4320, 10_080],
} as const

export const chatLimits = {
  /** UTF-8 bytes of one message. */
  textBytes: 64 * kilobyte,
  /** The JSON body of a message: longer than any valid one, so that a text that is too long gets its own error. */
  bodyBytes: 256 * kilobyte,
  /** Unexpired messages of an account. */
  livePerAccount: 500,
  /** Expired messages are deleted from the database within this time. */
  sweepEveryMs: 5 * second,
  pollEveryMs: 10 * second,
  errorShownMs: 3 * second,
  toastShownMs: 2 * second,
} as const

/** The PIN limits that clients need; the others are in `pinLimits`, which no page loads. */
export const pinRules = { smallest: 100_000, largest: 999_999, workBits: 20 } as const

export const passingBannerMs = 5 * second
export const confirmedRedirectMs = 3 * second
export const passwordSetRedirectMs = 2 * second
export const settingsSavedMs = 3 * second
export const loginSuccessMs = 1 * second
