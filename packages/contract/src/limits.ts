import { hour, kilobyte, megabyte, second } from './units.ts'

/** In separate files, so that only pages with accounts, uploads, portals or sessions load them. */
export {
  authSessionLimits,
  confirmedRedirectMs,
  licenceLimits,
  loginSuccessMs,
  messageLimits,
  mfaLimits,
  passingBannerMs,
  passwordLimits,
  passwordSetRedirectMs,
  settingsSavedMs,
  subscriptionCancelledMs,
  upgradedRedirectMs,
} from './account-limits.ts'
export {
  chatLimits,
  chunkBytesFor,
  expirationLimits,
  pinRules,
  uploadLimits,
} from './content-limits.ts'
export {
  joinedRedirectMs,
  organizationLimits,
} from './organization-limits.ts'
export { legacyPortalLimits, portalLimits, portalRoomLimits } from './portal-limits.ts'
export { sessionLimits } from './session-limits.ts'

/** Smaller files are uploaded in a single request. */
export const smallFileBytes = 5 * megabyte

/** Downloads up to this size may be held in memory if the browser has no storage to stream to. */
export const largeDownloadBytes = 100 * megabyte

/** The longest chunk the server accepts, in plain bytes. */
export const maximumChunkBytes = 32 * megabyte
export const smallestRecordBytes = 64 * kilobyte
export const largestRecordBytes = 32 * megabyte
export const recordOverheadBytes = 28

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
