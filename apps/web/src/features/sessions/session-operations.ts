import type { Call } from '@sallyport/client/call'
import { ApiError, ClientError } from '@sallyport/client/errors'
import { type JoinedSession, joinSession } from '@sallyport/client/sessions/join-session'
import { requireKeyMode } from '@sallyport/client/sessions/key-mode'
import { sessionLimits } from '@sallyport/contract/limits'
import { sessions } from '@sallyport/contract/sessions'
import { createSenderId, fromBase64url, toBase64url } from '@sallyport/crypto'
import type { ActiveSession } from './room/active-session.ts'
import { removePersistedUploadsOf } from './room/session-transfers.ts'

export { createSession, joinSession, parseJoinRequest } from '@sallyport/client/sessions/join-session'
export { startSession } from './joining/start-session.ts'

export const defaultMinutes = sessionLimits.defaultChoiceMinutes

export const encodeSecret = (linkSecret: Uint8Array | null): string | null => linkSecret && toBase64url(linkSecret)

/** Resumes as the participant of this tab, or joins again where this tab was none. */
export async function rejoinSession(call: Call, active: ActiveSession): Promise<JoinedSession> {
  try {
    return await rejoinOrJoin(call, active)
  } catch (error) {
    if (error instanceof ApiError) await removePersistedUploadsOf(active.sessionId)
    throw error
  }
}

async function rejoinOrJoin(call: Call, active: ActiveSession): Promise<JoinedSession> {
  const { sessionId, sessionPin: pin, participantToken, keyMode: expected } = active
  const linkSecret = active.linkSecret === null ? null : fromBase64url(active.linkSecret)
  if (participantToken === null) {
    const entered = await joinSession(call, { pin, linkSecret, expectedMode: expected })
    if (entered.session.id !== sessionId) throw new ClientError('SESSION_MISMATCH')
    return entered
  }
  const headers = { 'x-participant-token': participantToken }
  const { session } = await call(sessions.get, { params: { id: sessionId }, headers, query: {} })
  if (session.id !== sessionId) throw new ClientError('SESSION_MISMATCH')
  const keyMode = requireKeyMode({ received: session.key_mode, expected, linkSecret })
  return { pin, session, keyMode, participantToken, linkSecret, senderId: active.senderId ?? createSenderId() }
}
