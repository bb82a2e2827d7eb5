const uniqueCodes = new Set<unknown>([2067, 1555, '23505'])

/** True when a statement failed because a row like it is already there; the same on both databases. */
export function isUniqueViolation(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { errcode, code } = error as { errcode?: unknown; code?: unknown }
  return uniqueCodes.has(errcode) || uniqueCodes.has(code)
}
