import * as z from 'zod/mini'

/** An id created by the server: a UUID in lower case. */
export const Id = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/))

/** An upload id created by the client: a UUID or 16 random bytes in base64url. */
export const UploadId = z
  .string()
  .check(z.regex(/^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[A-Za-z0-9_-]{22})$/))

/** A file name, sealed by the client. Servers that are not strict accept any name. */
export const SealedName = z.string().check(z.minLength(1), z.maxLength(1704))
export const strictSealedName = /^ef1\.[A-Za-z0-9_-]{123,1700}$/

/** A file key, wrapped in an envelope of 150 bytes. */
export const WrappedFileKey = z.string().check(z.minLength(1), z.maxLength(8192))

/** A non-negative integer in decimal digits. */
export const DecimalText = z.pipe(
  z.string().check(z.regex(/^(0|[1-9][0-9]{0,15})$/)),
  z.transform((text: string) => Number(text)),
)

export const EpochMs = z.int()
/** A day in UTC, such as 2026-11-28. */
export const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
export const ByteCount = z.int().check(z.nonnegative())

/** The login secret derived from a password; a server that is not strict accepts any password. */
export const derivedCredential = /^Zk[0-9]+\.[A-Za-z0-9_-]{43}$/
export const Credential = z.string().check(z.minLength(1), z.maxLength(1024))

/** The cursors of a page in a list ordered by time. */
export const pageCursors = {
  /** Requests the page before this one; null if there is none, and on a page that was requested with `after`. */
  before: z.nullable(EpochMs),
  /**
   * Passed as `after`, requests the page after this one; null unless this page was requested with `after` and is not
   * the last.
   */
  next: z.nullable(EpochMs),
}

export const Succeeded = z.literal(true)
