import { KeyMode } from '@sallyport/contract/session-shapes'
import * as z from 'zod/mini'

const storageName = 'activeSession'
const keysStorageName = 'activeSessionKeys'

const StoredSession = z.object({
  sessionId: z.string().check(z.minLength(1)),
  sessionPin: z.string().check(z.regex(/^\d{6}$/)),
  /** Missing in sessions that were stored by earlier versions. */
  keyMode: z.optional(KeyMode),
})

const StoredKeys = z.object({
  sessionId: z.string(),
  participantToken: z.nullable(z.string()),
  linkSecret: z.nullable(z.string()),
  /** Missing in sessions that were stored by earlier versions. */
  senderId: z.optional(z.string()),
})

/** The session that this browser has joined. */
export interface ActiveSession {
  readonly sessionId: string
  readonly sessionPin: string
  /** How the session key is made. Rejoining requires this mode; null where none was stored. */
  readonly keyMode: KeyMode | null
  /** Present only in the tab that joined; another tab joins with the PIN again. */
  readonly participantToken: string | null
  /** The link secret of a private session in base64url. It is stored for this tab only. */
  readonly linkSecret: string | null
  /** The sender id of this tab's messages and name; null where none was stored. */
  readonly senderId: string | null
}

interface SessionStorages {
  readonly local: Storage
  readonly tab: Storage
}

/** Reads the stored session, which a reload rejoins. */
export function readActiveSession({ local, tab }: SessionStorages): ActiveSession | null {
  const active = z.safeParse(StoredSession, parseJson(local.getItem(storageName)))
  if (!active.success) return null
  const keys = z.safeParse(StoredKeys, parseJson(tab.getItem(keysStorageName)))
  const tabKeys = keys.success && keys.data.sessionId === active.data.sessionId ? keys.data : null
  const { sessionId, sessionPin, keyMode = null } = active.data
  const { participantToken = null, linkSecret = null, senderId = null } = tabKeys ?? {}
  return { sessionId, sessionPin, keyMode, participantToken, linkSecret, senderId }
}

export function saveActiveSession({ local, tab }: SessionStorages, session: ActiveSession): void {
  const { sessionId, sessionPin, keyMode, participantToken, linkSecret, senderId } = session
  local.setItem(storageName, JSON.stringify({ sessionId, sessionPin, ...(keyMode !== null && { keyMode }) }))
  tab.setItem(
    keysStorageName,
    JSON.stringify({ sessionId, participantToken, linkSecret, ...(senderId !== null && { senderId }) }),
  )
}

export function clearActiveSession({ local, tab }: SessionStorages): void {
  local.removeItem(storageName)
  tab.removeItem(keysStorageName)
}

export const hasActiveSession = ({ local }: Pick<SessionStorages, 'local'>): boolean =>
  local.getItem(storageName) !== null

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
