import { day, gigabyte, hour, kilobyte, megabyte, minute, second } from './units.ts'

/** In a file of their own, so that only pages with portals load them. */
export { classicPortalLimits, portalLimits, portalRoomLimits } from './portal-limits.ts'

/** Files smaller than this go up in a single request. */
export const smallFileBytes = 5 * megabyte

/** Downloads up to this size may be held in memory where the browser offers no place to stream to. */
export const largeDownloadBytes = 100 * megabyte

/** The longest chunk the server takes: 32 MB of plain bytes, sealed in the smallest records that are allowed. */
export const maximumChunkBytes = 32 * megabyte
export const smallestRecordBytes = 64 * kilobyte
export const largestRecordBytes = 32 * megabyte
export const recordOverheadBytes = 28
export const maximumSealedChunkBytes =
  maximumChunkBytes + (maximumChunkBytes / smallestRecordBytes) * recordOverheadBytes

/** How many plain bytes one upload request carries, by the size of the whole file and the memory at hand. */
export function chunkBytesFor(plainBytes: number, availableMemoryBytes = Number.POSITIVE_INFINITY): number {
  if (availableMemoryBytes < 15 * megabyte) return 4 * megabyte
  if (plainBytes > 10 * gigabyte) return 32 * megabyte
  if (plainBytes > 50 * megabyte) return 16 * megabyte
  return 8 * megabyte
}

export const transferLimits = {
  fewestInFlight: 2,
  mostInFlight: 3,
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
  /** An upload that moves fewer bytes than this in a stall period is cut. */
  stallMs: 60 * second,
  stallBytes: 1 * kilobyte,
} as const

/** An upload by socket: the server tells at least so often how far it has read, and a sender runs no further ahead. */
export const uploadSocketLimits = {
  tellEveryBytes: 1 * megabyte,
  aheadBytes: 8 * megabyte,
} as const

export const shareLimits = {
  /** The largest number of downloads a link may be limited to. */
  mostDownloads: 1000,
  labelCharacters: 80,
  /** A download that has begun keeps its place among the allowed ones for so long, and for less once the line was cut. */
  placeMs: 1 * hour,
  placeAfterCutMs: 60 * second,
  /** How often a download under way holds its place for longer: more often than a shortened one lapses. */
  extendPlaceEveryMs: 20 * second,
  /** Live shares of one file. */
  perFile: 20,
  /** What a counted download may be served beyond the file and an eighth of it, for what is fetched again. */
  resumeBytes: 8 * megabyte,
  /** Bytes of a limited share are booked in slices of at least this size. */
  smallestSliceBytes: 64 * kilobyte,
} as const

/** How long a sign-in lasts: three hours, or seven days from the last use on a remembered device; never over thirty days. */
export const signInLimits = {
  shortMs: 3 * hour,
  rememberedMs: 7 * day,
  absoluteMs: 30 * day,
  checkEveryMs: 60 * second,
  /** For so long after a password or a second factor was shown, what protects the account may be changed. */
  proofMs: 5 * minute,
  /** The page warns this long before a sign-in ends. */
  warnBeforeMs: 5 * minute,
  /** A signed-out event this soon after the page has loaded is not believed. */
  graceMs: 2 * second,
} as const

export const passwordLimits = { fewestCharacters: 6 } as const

export const secondFactorLimits = {
  challengeMs: 5 * minute,
  unverifiedFactorMs: 5 * minute,
  factorsPerAccount: 10,
  codeDigits: 6,
  codeSeconds: 30,
  backupCodes: 10,
} as const

/** How long what a mail or a text message carries is good for, and how often it is sent. */
export const messageLimits = {
  recoveryLinkMs: 1 * hour,
  confirmationLinkMs: 24 * hour,
  textCodeMs: 5 * minute,
  attemptsPerCode: 5,
  betweenMessagesMs: 60 * second,
  /** Asking for a message takes at least so long, so that the time tells nobody whether the address is known. */
  evenAnswerMs: 200,
  invitationMs: 7 * day,
  /** What was mailed is over by then, but still says which password an unconfirmed address was registered with. */
  rememberedMs: 30 * day,
} as const

export const expirationLimits = {
  defaultMinutes: 5,
  offeredMinutes: [1, 5, 15, 30, 60, 180, 720, 1440, 4320, 10_080],
  /** What a client shows when the server names no choices. */
  defaultChoiceMinutes: [1, 5, 15, 30, 60, 180, 720],
  /** What a client shows when the server has no settings to give (404). */
  fallbackChoiceMinutes: [5, 15, 30, 60, 120, 360, 720, 1440, 4320, 10_080],
} as const

export const licenceLimits = {
  trial: { storageBytes: 1 * gigabyte, days: 7 },
  paid: { storageBytes: 50 * gigabyte },
  /** What an organization begins with. */
  fewestSeats: 5,
  /** For this long after its end a licence still lets people in, to upgrade. */
  graceDays: 30,
} as const

export const chatLimits = {
  /** UTF-8 bytes of one message. */
  textBytes: 64 * kilobyte,
  /** Messages of an account that have not expired. */
  livePerAccount: 500,
  /** What has expired is out of the database within this time. */
  sweepEveryMs: 5 * second,
  pollEveryMs: 10 * second,
  errorShownMs: 3 * second,
  toastShownMs: 2 * second,
} as const

export const sessionLimits = {
  /** A session ends by itself after this time. */
  longestMs: 24 * hour,
  /** How often a page says that its participant is there. */
  heartbeatEveryMs: 5 * minute,
  /** A session whose creator has been silent for this long is over. */
  creatorSilenceMs: 15 * minute,
  /** Who was heard of within this time counts as present. */
  presentMs: 45 * second,
  pollEveryMs: 8 * second,
  participants: 50,
  /** Places kept for further devices of people who are in a full session. */
  memberPlaces: 10,
  /** The list of participants is sent to those in a session at most this often. */
  peersEveryMs: 1 * second,
  openPerAccount: 5,
  /** Participants that may be removed from one session: each removal adds a share to its key. */
  removals: 100,
  /** Uploads into one session that may be under way at once. */
  openUploads: 100,
  liveMessages: 5000,
  /** A PIN is not given out again for so long after its session was over. */
  pinRestMs: 24 * hour,
  /** The same where nobody but the creator had joined. */
  unjoinedPinRestMs: 10 * minute,
  /** How often a page draws another PIN when one is taken. */
  pinDraws: 5,
  offeredMinutes: [1, 5, 10, 30, 60],
  /** What is chosen on the page. */
  defaultChoiceMinutes: 10,
  /** Where a client names none. */
  defaultMinutes: 60,
  uploadCardClearsAfterMs: 2 * second,
  /** Whoever waits to be let in asks so often, and in vain after so long. */
  knockEveryMs: 2 * second,
  knockMs: 10 * minute,
  waitingKnocks: 20,
  /** Of those, how many may come from one IPv4 address, and from 48 bits of IPv6. */
  waitingKnocksPerAddress: 15,
  waitingKnocksPerBlock: 5,
  /** A code that lets somebody into a private session is good for so long. */
  admissionCodeMs: 2 * minute,
  /** What of an admission was handed on is kept for so long. */
  admissionMs: 15 * minute,
} as const

/** What a client has to know of PINs; the rest is in `pinLimits`, which no page loads. */
export const pinRules = { smallest: 100_000, largest: 999_999, workBits: 20 } as const

export const verifiedBannerMs = 5 * second
export const confirmedRedirectMs = 3 * second
export const passwordSetRedirectMs = 2 * second
export const settingsSavedMs = 3 * second
export const loginSuccessMs = 1 * second
