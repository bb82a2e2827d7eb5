import * as z from 'zod/mini'

/** An id made by the server: a UUID in lower case. */
export const Id = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/))

/** An upload's id, made by the client: a UUID or 16 random bytes in base64url. */
export const UploadId = z
  .string()
  .check(z.regex(/^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[A-Za-z0-9_-]{22})$/))

/** A file name as it travels: sealed by the client. Servers that are not strict take any name in its place. */
export const SealedName = z.string().check(z.minLength(1), z.maxLength(1704))
export const strictSealedName = /^ef1\.[A-Za-z0-9_-]{123,1700}$/

/** A file key as it travels: wrapped in an envelope of 150 bytes. */
export const WrappedFileKey = z.string().check(z.minLength(1), z.maxLength(8192))

/** A non-negative whole number written in decimal digits only. */
export const DecimalText = z.pipe(
  z.string().check(z.regex(/^(0|[1-9][0-9]{0,15})$/)),
  z.transform((text: string) => Number(text)),
)

export const EpochMs = z.int()
export const ByteCount = z.int().check(z.nonnegative())

/** The login secret derived from a password; a server that is not strict takes any password. */
export const derivedCredential = /^Zk[0-9]+\.[A-Za-z0-9_-]{43}$/
export const Credential = z.string().check(z.minLength(1), z.maxLength(1024))

/** Cursors of a page in a list that is ordered by time. */
export const pageCursors = {
  /** Asks for the page before this one; null where there is none, and on a page that was asked for with `after`. */
  before: z.nullable(EpochMs),
  /** Passed as `after`, asks for the page after this one; null unless this page was asked for so and is not the last. */
  next: z.nullable(EpochMs),
}

export const Succeeded = z.literal(true)
