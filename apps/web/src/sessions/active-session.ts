import { KeyMode } from '@sallyport/contract/session-shapes'
import * as z from 'zod/mini'

const storageName = 'activeSession'
const keysName = 'activeSessionKeys'

const Active = z.object({
  sessionId: z.string().check(z.minLength(1)),
  sessionPin: z.string().check(z.regex(/^\d{6}$/)),
  /** Missing in what was stored before there was this field. */
  keyMode: z.optional(KeyMode),
})

const Keys = z.object({
  sessionId: z.string(),
  participantToken: z.nullable(z.string()),
  linkSecret: z.nullable(z.string()),
  /** Missing in what was stored before there was this field. */
  senderId: z.optional(z.string()),
})

/** The session that this browser is in. */
export interface ActiveSession {
  readonly sessionId: string
  readonly sessionPin: string
  /** How its key is made. Entering it again takes this very mode; null where none was stored. */
  readonly keyMode: KeyMode | null
  /** Known in the tab that joined; another tab shows the PIN again. */
  readonly participantToken: string | null
  /** Of a private session, in base64url. It stays in its tab. */
  readonly linkSecret: string | null
  /** What this tab's messages and name are sealed with; null where none was stored. */
  readonly senderId: string | null
}

interface Places {
  readonly local: Storage
  readonly tab: Storage
}

/** What is kept of the session that this browser is in, so that a reload goes back into it. */
export function readActiveSession({ local, tab }: Places): ActiveSession | null {
  const active = z.safeParse(Active, parseJson(local.getItem(storageName)))
  if (!active.success) return null
  const keys = z.safeParse(Keys, parseJson(tab.getItem(keysName)))
  const own = keys.success && keys.data.sessionId === active.data.sessionId ? keys.data : null
  const { sessionId, sessionPin, keyMode = null } = active.data
  const { participantToken = null, linkSecret = null, senderId = null } = own ?? {}
  return { sessionId, sessionPin, keyMode, participantToken, linkSecret, senderId }
}

export function keepActiveSession({ local, tab }: Places, session: ActiveSession): void {
  const { sessionId, sessionPin, keyMode, participantToken, linkSecret, senderId } = session
  local.setItem(storageName, JSON.stringify({ sessionId, sessionPin, ...(keyMode !== null && { keyMode }) }))
  tab.setItem(
    keysName,
    JSON.stringify({ sessionId, participantToken, linkSecret, ...(senderId !== null && { senderId }) }),
  )
}

export function forgetActiveSession({ local, tab }: Places): void {
  local.removeItem(storageName)
  tab.removeItem(keysName)
}

export const hasActiveSession = ({ local }: Pick<Places, 'local'>): boolean => local.getItem(storageName) !== null

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
