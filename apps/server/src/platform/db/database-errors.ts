import type { ErrorCode } from '@sallyport/contract/error-codes'
import { ApiError, apiError } from '../../errors.ts'

const uniqueCodes = new Set<unknown>([2067, 1555, '23505'])

const sqliteBusy = 5
const sqliteReadOnly = 8
const sqliteFull = 13
/** SQLite's primary result codes for outages: busy, locked, read-only, I/O error, full, cannot open. */
const sqliteOutageCodes = new Set([sqliteBusy, 6, sqliteReadOnly, 10, sqliteFull, 14])
const postgresDiskFull = '53100'
/** Connection failures, too many connections, insufficient resources, shutdown and startup. */
const postgresOutageCodes =
  /^(08...|53...|57P0[1-5]|E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN))$/
const connectionLostMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/

/** True for a unique constraint violation on either database. */
export const isUniqueViolation = (error: unknown): boolean => codesOf(error).some((code) => uniqueCodes.has(code))

/**
 * Maps errors of an unavailable database to UNAVAILABLE, of a full disk to NO_SPACE and of a read-only one to
 * STORAGE_UNAVAILABLE; returns every other error unchanged.
 */
export function toOutageError(error: unknown): unknown {
  if (error instanceof ApiError || !isOutage(error)) return error
  return apiError(outageCodeOf(error), { cause: error })
}

/** True if another connection is writing to the embedded database. */
export const isBusy = (error: unknown): boolean => {
  const [errcode] = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === sqliteBusy
}

function isOutage(error: unknown): boolean {
  const [errcode, code] = codesOf(error)
  if (typeof errcode === 'number') return sqliteOutageCodes.has(errcode & 0xff)
  if (typeof code === 'string' && postgresOutageCodes.test(code)) return true
  return error instanceof Error && connectionLostMessage.test(error.message)
}

function outageCodeOf(error: unknown): ErrorCode {
  const [errcode, code] = codesOf(error)
  const primaryCode = typeof errcode === 'number' ? errcode & 0xff : null
  if (primaryCode === sqliteFull || code === postgresDiskFull) return 'NO_SPACE'
  return primaryCode === sqliteReadOnly ? 'STORAGE_UNAVAILABLE' : 'UNAVAILABLE'
}

/** SQLite's numeric code and PostgreSQL's SQLSTATE. */
function codesOf(error: unknown): [errcode: unknown, code: unknown] {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown }
  return [errcode, code]
}
