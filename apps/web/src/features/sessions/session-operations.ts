import type { Call } from '@sallyport/client/call'
import { ApiError, ClientError } from '@sallyport/client/errors'
import { type JoinedSession, joinSession } from '@sallyport/client/sessions/join-session'
import { requireKeyMode } from '@sallyport/client/sessions/key-mode'
import { sessionLimits } from '@sallyport/contract/limits'
import { sessions } from '@sallyport/contract/sessions'
import { createSenderId, fromBase64url, toBase64url } from '@sallyport/crypto'
import type { ActiveSession } from './room/active-session.ts'
import { type OpenTabChannel, requestParticipant } from './room/session-tabs.ts'
import { removePersistedUploadsOf } from './room/session-transfers.ts'

export { createSession, joinSession, parseJoinRequest } from '@sallyport/client/sessions/join-session'
export { startSession } from './joining/start-session.ts'

export const defaultMinutes = sessionLimits.defaultChoiceMinutes

export const encodeSecret = (linkSecret: Uint8Array | null): string | null => linkSecret && toBase64url(linkSecret)

/** Resumes as the participant of this tab or of another open tab, or joins again where there is none. */
export async function rejoinSession(
  call: Call,
  active: ActiveSession,
  openChannel: OpenTabChannel,
): Promise<JoinedSession> {
  try {
    const shared = active.participantToken === null ? await requestParticipant(active.sessionId, openChannel) : null
    return await rejoinOrJoin(call, { ...active, ...shared })
  } catch (error) {
    if (hasEnded(error)) await removePersistedUploadsOf(active.sessionId)
    throw error
  }
}

/** Whether an error of rejoining means that the session has ended, or that this browser is in it no longer. */
export const hasEnded = (error: unknown): boolean => error instanceof ApiError && error.code === 'SESSION_NOT_FOUND'

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
