import type { Participant, Session, SessionMessage } from '@sallyport/contract/session-shapes'
import {
  type Bytes,
  deriveEarlierSessionKey,
  deriveSessionKey,
  fromBase64url,
  keyIdOf,
  openMessage,
  openSessionMessage,
  openSessionName,
  type Root,
  type SessionKeySources,
} from '@sallyport/crypto'
import { parseEnvelope, parseMessageKey } from '@sallyport/crypto/envelope'
import type { Entered } from './enter-session.ts'
import { SessionError } from './session-error.ts'

type KeyHolder = Pick<Entered, 'pin' | 'session' | 'keyMode' | 'linkSecret'>

/**
 * The root that everything in a session is sealed under; null where the invite link is needed and not at hand. The mode
 * is the one that this client entered with: a link secret never goes with a weaker one.
 */
export async function openSessionKey(holder: KeyHolder): Promise<Bytes | null> {
  const sources = sourcesOf(holder)
  return sources && deriveSessionKey(sources)
}

/** What a session is read with. */
export interface SessionPlace extends Pick<Entered, 'keyMode'> {
  readonly root: Root
  /** Of what was sealed before modes had labels of their own. Nothing is sealed under it. */
  readonly earlierRoot: Root
  readonly sessionId: string
}

/** The same with the root of earlier versions. */
export async function openSessionPlace(holder: KeyHolder): Promise<SessionPlace | null> {
  const sources = sourcesOf(holder)
  if (sources === null) return null
  const { keyMode, session } = holder
  const [root, earlierRoot] = await Promise.all([deriveSessionKey(sources), deriveEarlierSessionKey(sources)])
  return { root, earlierRoot, keyMode, sessionId: session.id }
}

function sourcesOf({
  pin,
  session: { id, key_share },
  keyMode: mode,
  linkSecret,
}: KeyHolder): SessionKeySources | null {
  if (linkSecret !== null && mode !== 'secret') throw new SessionError('KEY_MODE_MISMATCH')
  if (mode === 'pin') return { mode, pin }
  const place = { pin, sessionId: id, share: fromBase64url(key_share ?? '') }
  if (mode === 'pin2') return { mode, ...place }
  return linkSecret && { mode, ...place, linkSecret }
}

export interface ReadSessionMessage {
  readonly text: string
  /** Epoch milliseconds, by the sender's clock. */
  readonly sentAt: number
  /** What the sender's client has drawn for them; null in messages of version 1, which are bound to no sender. */
  readonly senderId: string | null
  /** Null while the sender has chosen none. */
  readonly senderName: string | null
}

type SealedSessionMessage = Pick<SessionMessage, 'content' | 'encrypted_key' | 'participant_name'>

/**
 * Opens a message with its sender. In version 2 both are sealed in one, and what the server says of the sender is not
 * looked at. Rejects for a message of another session, for a sealed name, and for one that was changed.
 */
export async function readSessionMessage(
  { content: encryptedContent, encrypted_key: encryptedKey, participant_name }: SealedSessionMessage,
  place: SessionPlace,
): Promise<ReadSessionMessage> {
  const { root, earlierRoot, sessionId } = place
  if (parseMessageKey(encryptedKey).version === 2) {
    const message = await openSessionMessage({ root, sessionId, encryptedKey, encryptedContent })
    return { ...message, senderName: message.senderName || null }
  }
  const sealed = { root: earlierRoot, kind: 'session', contextId: sessionId, encryptedKey, encryptedContent } as const
  const [message, senderName] = await Promise.all([openMessage(sealed), openEarlierName(participant_name, place)])
  return { ...message, senderId: null, senderName }
}

export interface ReadParticipantName {
  readonly name: string
  /** Null in names of version 1. */
  readonly senderId: string | null
}

/**
 * The name that a participant has sealed for themselves; null where there is none, where it was sealed for another
 * participant, and where this key does not open it.
 */
export async function readParticipantName(
  { id: participantId, participant_name: sealedName }: Pick<Participant, 'id' | 'participant_name'>,
  place: SessionPlace,
): Promise<ReadParticipantName | null> {
  const { root, sessionId } = place
  if (versionOf(sealedName) !== 2) {
    const name = await openEarlierName(sealedName, place)
    return name === null ? null : { name, senderId: null }
  }
  try {
    const { senderName, senderId } = await openSessionName({ root, sessionId, participantId, sealedName })
    return senderName === '' ? null : { name: senderName, senderId }
  } catch {
    return null
  }
}

/** A name that is not sealed is the server's word, and counts only where the server can read everything anyway. */
async function openEarlierName(
  sealed: string,
  { earlierRoot: root, keyMode, sessionId: contextId }: SessionPlace,
): Promise<string | null> {
  const [encryptedKey, encryptedContent, ...more] = sealed.split('.')
  if (encryptedKey === undefined || encryptedContent === undefined || more.length > 0) {
    return keyMode === 'pin' ? sealed : null
  }
  try {
    return (await openMessage({ root, kind: 'session', contextId, encryptedKey, encryptedContent })).text
  } catch {
    return null
  }
}

function versionOf(sealedName: string): 1 | 2 | null {
  try {
    return parseMessageKey(sealedName.split('.')[0] ?? '').version
  } catch {
    return null
  }
}

/** Which of the two roots a file of the session was wrapped under. */
export async function rootOfFile(envelope: string, { root, earlierRoot }: SessionPlace): Promise<Root> {
  const { keyId } = parseEnvelope(envelope)
  const earlierId = await keyIdOf(earlierRoot, 'session')
  return keyId.every((byte, at) => byte === earlierId[at]) ? earlierRoot : root
}

/** How many of the participants were heard of lately. */
export const countPresent = ({ participants }: Pick<Session, 'participants'>): number =>
  participants.filter(({ present }) => present).length
