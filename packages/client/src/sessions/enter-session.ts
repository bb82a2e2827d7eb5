import { sessionLimits } from '@sallyport/contract/limits'
import type { KeyMode, Session } from '@sallyport/contract/session-shapes'
import { sessions } from '@sallyport/contract/sessions'
import { createLinkSecret, createSenderId, linkCheckOf, toBase64url } from '@sallyport/crypto'
import type { Call } from '../call.ts'
import { ApiError } from '../errors.ts'
import { requireKeyMode } from './key-mode.ts'
import { drawPin } from './pin.ts'
import { doWork } from './work.ts'

/** Somebody who is in a session, whether or not they can read it. */
export interface Entered {
  readonly pin: string
  readonly session: Session
  /** How the key is made. Follows from what this client holds, whatever the server answers later. */
  readonly keyMode: KeyMode
  /** Stands for the PIN from now on. */
  readonly participantToken: string
  /** Of a private session, where it is at hand. */
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /** Drawn here and sealed into every message and name: what the server says of senders is not needed. */
  readonly senderId: string
}

interface NewSession {
  /** Only for those who have the link, or are let in by one who has. */
  readonly isPrivate: boolean
  readonly expirationMinutes: number
}

/**
 * Opens a session under a PIN drawn at random; draws another when that one is taken. Rejects with `KEY_MODE_MISMATCH`
 * when the server answers another key mode than the one asked for.
 */
export async function createSession(call: Call, { isPrivate, expirationMinutes }: NewSession): Promise<Entered> {
  const linkSecret = isPrivate ? createLinkSecret() : null
  const expected = isPrivate ? 'secret' : 'pin2'
  const check = linkSecret && { link_check: toBase64url(await linkCheckOf(linkSecret)) }
  for (let draw = 1; ; draw += 1) {
    const pin = drawPin()
    try {
      const { session, participant_token } = await call(sessions.create, {
        body: {
          session_pin: pin,
          default_file_expiration_minutes: expirationMinutes,
          key_mode: expected,
          ...check,
        },
      })
      const keyMode = requireKeyMode({ answered: session.key_mode, expected, linkSecret })
      return { pin, session, keyMode, participantToken: participant_token, linkSecret, senderId: createSenderId() }
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'PIN_TAKEN'
      if (!isTaken || draw >= sessionLimits.pinDraws) throw error
    }
  }
}

interface Joining {
  readonly pin: string
  readonly linkSecret: Uint8Array<ArrayBuffer> | null
  /** What is stored of a session that is entered again. */
  readonly expectedMode?: KeyMode | null
  /** What an earlier try was given while it waits to be let in. */
  readonly knock?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Joins the session of a PIN, and does the work that a server asks for while it is being guessed at. Rejects with
 * `APPROVAL_REQUIRED` while somebody has to let the caller in first: `readKnock` tells how to ask again. Rejects with
 * `KEY_MODE_MISMATCH` when the caller holds a link secret and the session is said to need none.
 */
export async function joinSession(call: Call, joining: Joining): Promise<Entered> {
  const { pin, linkSecret, expectedMode: expected = null, knock, signal } = joining
  const body = {
    session_pin: pin,
    ...(knock !== undefined && { knock }),
    ...(linkSecret && { link_check: toBase64url(await linkCheckOf(linkSecret)) }),
  }
  const enter = async (more: { work?: Awaited<ReturnType<typeof doWork>> }): Promise<Entered> => {
    const { session, participant_token } = await call(sessions.join, { body: { ...body, ...more } }, { signal })
    const keyMode = requireKeyMode({ answered: session.key_mode, expected, linkSecret })
    return { pin, session, keyMode, participantToken: participant_token, linkSecret, senderId: createSenderId() }
  }
  try {
    return await enter({})
  } catch (error) {
    const challenge = error instanceof ApiError && error.code === 'WORK_REQUIRED' ? error.details?.['challenge'] : null
    if (typeof challenge !== 'string') throw error
    return enter({ work: await doWork(challenge, signal) })
  }
}

interface AskedIn {
  /** Goes with the next try. */
  readonly knock: string
  /** Four digits that whoever lets people in sees too. */
  readonly code: string
}

/** What a refusal says about waiting to be let in; null for any other failure. */
export function readKnock(error: unknown): AskedIn | null {
  if (!(error instanceof ApiError) || error.code !== 'APPROVAL_REQUIRED') return null
  const { knock, code } = error.details ?? {}
  return typeof knock === 'string' && typeof code === 'string' ? { knock, code } : null
}
