import { sessionLimits } from '@sallyport/contract/limits'
import type { KeyMode, Session } from '@sallyport/contract/session-shapes'
import { sessions } from '@sallyport/contract/sessions'
import { createLinkSecret, createSenderId, linkCheckOf, toBase64url } from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ApiError } from '../errors.ts'
import { requireKeyMode } from './key-mode.ts'
import { createPin } from './pin.ts'
import { solveChallenge } from './proof-of-work.ts'

/** A session that this client has joined, whether or not it can read it. */
export interface JoinedSession {
  readonly pin: string
  readonly session: Session
  /** How the key is derived. Follows from what this client holds, whatever the server returns later. */
  readonly keyMode: KeyMode
  /** Replaces the PIN from now on. */
  readonly participantToken: string
  /** The secret of a private session, if known. */
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /**
   * Chosen by this client and sealed into every message and name, so that the server's statements about senders are not
   * needed.
   */
  readonly senderId: string
}

interface CreateSessionInput {
  /** Only for those who have the link, or are admitted by someone who has it. */
  readonly isPrivate: boolean
  readonly expirationMinutes: number
}

/**
 * Creates a session with a random PIN; tries another one if it is taken. Rejects with `KEY_MODE_MISMATCH` when the
 * server returns another key mode than the requested one.
 */
export async function createSession(
  call: Call,
  { isPrivate, expirationMinutes }: CreateSessionInput,
): Promise<JoinedSession> {
  const linkSecret = isPrivate ? createLinkSecret() : null
  const expected = isPrivate ? 'secret' : 'pin2'
  const check = linkSecret && { link_check: toBase64url(await linkCheckOf(linkSecret)) }
  for (let attempt = 1; ; attempt += 1) {
    const pin = createPin()
    try {
      const { session, participant_token } = await call(sessions.create, {
        body: {
          session_pin: pin,
          default_file_expiration_minutes: expirationMinutes,
          key_mode: expected,
          ...check,
        },
      })
      const keyMode = requireKeyMode({ received: session.key_mode, expected, linkSecret })
      return { pin, session, keyMode, participantToken: participant_token, linkSecret, senderId: createSenderId() }
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'PIN_TAKEN'
      if (!isTaken || attempt >= sessionLimits.pinAttempts) throw error
    }
  }
}

interface JoinSessionInput {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /** The key mode that is stored of a session that is joined again. */
  readonly expectedMode?: KeyMode | null
  /** The token of an earlier attempt while it waits for approval. */
  readonly knock?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Joins the session of a PIN, and solves the proof of work that the server demands while the PIN is being guessed at.
 * Rejects with `APPROVAL_REQUIRED` until a participant has approved the caller: `parseJoinRequest` returns what the
 * next attempt needs. Rejects with `KEY_MODE_MISMATCH` when the caller has a link secret and the server returns a key
 * mode without one.
 */
export async function joinSession(call: Call, input: JoinSessionInput): Promise<JoinedSession> {
  const { pin, linkSecret, expectedMode: expected = null, knock, signal } = input
  const body = {
    session_pin: pin,
    ...(knock !== undefined && { knock }),
    ...(linkSecret && { link_check: toBase64url(await linkCheckOf(linkSecret)) }),
  }
  const requestJoin = async (proofOfWork: {
    work?: Awaited<ReturnType<typeof solveChallenge>>
  }): Promise<JoinedSession> => {
    const { session, participant_token } = await call(sessions.join, { body: { ...body, ...proofOfWork } }, { signal })
    const keyMode = requireKeyMode({ received: session.key_mode, expected, linkSecret })
    return { pin, session, keyMode, participantToken: participant_token, linkSecret, senderId: createSenderId() }
  }
  try {
    return await requestJoin({})
  } catch (error) {
    const challenge = error instanceof ApiError && error.code === 'WORK_REQUIRED' ? error.details?.['challenge'] : null
    if (typeof challenge !== 'string') throw error
    return requestJoin({ work: await solveChallenge(challenge, signal) })
  }
}

interface PendingJoinRequest {
  /** Sent with the next attempt. */
  readonly knock: string
  /** Four digits that the approving participant sees too. */
  readonly code: string
}

/** Parses the pending join request of an `APPROVAL_REQUIRED` error; null for any other error. */
export function parseJoinRequest(error: unknown): PendingJoinRequest | null {
  if (!(error instanceof ApiError) || error.code !== 'APPROVAL_REQUIRED') return null
  const { knock, code } = error.details ?? {}
  return typeof knock === 'string' && typeof code === 'string' ? { knock, code } : null
}
