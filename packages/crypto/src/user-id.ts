import { type Bytes, utf8 } from './bytes.ts'
import { malformed } from './errors.ts'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The UUID in lower case; anything else is malformed, because keys bound to a wrong id are lost. */
export function userIdText(userId: string): string {
  const text = String(userId).toLowerCase()
  if (!uuidPattern.test(text)) throw malformed('A user id is a UUID')
  return text
}

export const userIdBytes = (userId: string): Bytes => utf8(userIdText(userId))
