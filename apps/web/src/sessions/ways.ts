import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { type Entered, joinSession } from '@sallyport/client/sessions/enter-session'
import { requireKeyMode } from '@sallyport/client/sessions/key-mode'
import { SessionError } from '@sallyport/client/sessions/session-error'
import { sessionLimits } from '@sallyport/contract/limits'
import { sessions } from '@sallyport/contract/sessions'
import { createSenderId, fromBase64url, toBase64url } from '@sallyport/crypto'
import type { ActiveSession } from './active-session.ts'
import { forgetUploadsOf } from './room-transfers.ts'

export { createSession, joinSession, readKnock } from '@sallyport/client/sessions/enter-session'
export { enterRoom } from './enter-room.ts'

export const defaultMinutes = sessionLimits.defaultChoiceMinutes

export const encodeSecret = (linkSecret: Uint8Array | null): string | null => linkSecret && toBase64url(linkSecret)

/** Goes on as the participant that this tab was and joins anew where it was none. */
export async function reenter(call: Call, active: ActiveSession): Promise<Entered> {
  try {
    return await goBackIn(call, active)
  } catch (error) {
    if (error instanceof ApiError) await forgetUploadsOf(active.sessionId)
    throw error
  }
}

async function goBackIn(call: Call, active: ActiveSession): Promise<Entered> {
  const { sessionId, sessionPin: pin, participantToken, keyMode: expected } = active
  const linkSecret = active.linkSecret === null ? null : fromBase64url(active.linkSecret)
  if (participantToken === null) {
    const entered = await joinSession(call, { pin, linkSecret, expectedMode: expected })
    if (entered.session.id !== sessionId) throw new SessionError('SESSION_MISMATCH')
    return entered
  }
  const headers = { 'x-participant-token': participantToken }
  const { session } = await call(sessions.get, { params: { id: sessionId }, headers, query: {} })
  if (session.id !== sessionId) throw new SessionError('SESSION_MISMATCH')
  const keyMode = requireKeyMode({ answered: session.key_mode, expected, linkSecret })
  return { pin, session, keyMode, participantToken, linkSecret, senderId: active.senderId ?? createSenderId() }
}
