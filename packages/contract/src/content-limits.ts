import { gigabyte, hour, kilobyte, megabyte, minute, second } from './units.ts'

/** The number of plain bytes of one upload request, by the size of the file and the available memory. */
export function chunkBytesFor(plainBytes: number, availableMemoryBytes = Number.POSITIVE_INFINITY): number {
  if (availableMemoryBytes < 15 * megabyte) return 4 * megabyte
  if (plainBytes > 10 * gigabyte) return 32 * megabyte
  if (plainBytes > 50 * megabyte) return 16 * megabyte
  return 8 * megabyte
}

export const uploadLimits = {
  leaseMs: 15 * minute,
  abandonedAfterMs: 24 * hour,
  openPerAccount: 10,
  filesPerAccount: 10_000,
  /** An upload that moves fewer bytes than this in a stall period is aborted. */
  stallMs: 60 * second,
  stallBytes: 1 * kilobyte,
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
