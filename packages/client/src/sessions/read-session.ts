import type { Session, SessionMessage } from '@sallyport/contract/session-shapes'
import { type Bytes, deriveSessionKey, fromBase64url, openMessage, type Root, sealMessage } from '@sallyport/crypto'
import type { Entered } from './enter-session.ts'
import { SessionError } from './session-error.ts'

/**
 * The root that everything in a session hangs from; null where the invite link is wanted and not at hand. The mode is
 * the one that this client entered with: a link secret never goes with a weaker one.
 */
export async function openSessionKey({
  pin,
  session: { id, key_share },
  keyMode: mode,
  linkSecret,
}: Omit<Entered, 'participantToken'>): Promise<Bytes | null> {
  if (linkSecret !== null && mode !== 'secret') throw new SessionError('KEY_MODE_MISMATCH')
  if (mode === 'pin') return deriveSessionKey({ mode, pin })
  const place = { pin, sessionId: id, share: fromBase64url(key_share ?? '') }
  if (mode === 'pin2') return deriveSessionKey({ mode, ...place })
  return linkSecret && deriveSessionKey({ mode, ...place, linkSecret })
}

interface Place {
  readonly root: Root
  readonly sessionId: string
}

/** A name for one place, sealed so that only the session's own people read it. */
export async function sealParticipantName(name: string, { root, sessionId }: Place, sentAt: number): Promise<string> {
  const sealed = await sealMessage({ root, kind: 'session', contextId: sessionId, text: name, sentAt })
  return `${sealed.encryptedKey}.${sealed.encryptedContent}`
}

/** The name that was sealed; as it stands where it was not, and null where this key does not open it. */
export async function openParticipantName(sealed: string, { root, sessionId }: Place): Promise<string | null> {
  const [encryptedKey, encryptedContent, ...more] = sealed.split('.')
  if (encryptedKey === undefined || encryptedContent === undefined || more.length > 0) return sealed
  try {
    return (await openMessage({ root, kind: 'session', contextId: sessionId, encryptedKey, encryptedContent })).text
  } catch {
    return null
  }
}

export interface OpenedSessionMessage {
  readonly text: string
  /** Epoch milliseconds, by the sender's clock. */
  readonly sentAt: number
}

/** Rejects for a message of another session, and for one that was changed. */
export const openSessionMessage = (
  { content, encrypted_key }: Pick<SessionMessage, 'content' | 'encrypted_key'>,
  { root, sessionId }: Place,
): Promise<OpenedSessionMessage> =>
  openMessage({
    root,
    kind: 'session',
    contextId: sessionId,
    encryptedContent: content,
    encryptedKey: encrypted_key,
  })

/** How many of the participants were heard of lately. */
export const countPresent = ({ participants }: Pick<Session, 'participants'>): number =>
  participants.filter(({ present }) => present).length
