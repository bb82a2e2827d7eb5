import { AppError, refuse } from '../errors.ts'

const uniqueCodes = new Set<unknown>([2067, 1555, '23505'])

const sqliteBusy = 5
/** Busy, locked, read only, failing, full, gone: SQLite's primary codes for what is no fault of the statement. */
const sqliteOutages = new Set([sqliteBusy, 6, 8, 10, 13, 14])
/** Connection lost or refused, too many of them, out of room or memory, going down, starting up. */
const postgresOutage =
  /^(08...|53...|57P0[1-5]|E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN))$/
const brokenLine =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/

/** True when a statement failed because a row like it is already there; the same on both databases. */
export const isUniqueViolation = (error: unknown): boolean => codesOf(error).some((code) => uniqueCodes.has(code))

/** A database that cannot be worked with at the moment is told as UNAVAILABLE; every other failure as it is. */
export function asOutage(error: unknown): unknown {
  if (error instanceof AppError || !isOutage(error)) return error
  return refuse('UNAVAILABLE', { cause: error })
}

/** True when somebody else is writing to the embedded database at the moment. */
export const isBusy = (error: unknown): boolean => {
  const [errcode] = codesOf(error)
  return typeof errcode === 'number' && (errcode & 0xff) === sqliteBusy
}

function isOutage(error: unknown): boolean {
  const [errcode, code] = codesOf(error)
  if (typeof errcode === 'number') return sqliteOutages.has(errcode & 0xff)
  if (typeof code === 'string' && postgresOutage.test(code)) return true
  return error instanceof Error && brokenLine.test(error.message)
}

/** SQLite's number and PostgreSQL's letters. */
function codesOf(error: unknown): [errcode: unknown, code: unknown] {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown }
  return [errcode, code]
}
