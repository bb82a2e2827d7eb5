import type { Participant, Session, SessionMessage } from '@sallyport/contract/session-shapes'
import { openMessage, openSessionMessage, openSessionName } from '@sallyport/crypto'
import { type MessageKeyParts, parseMessageKey } from '@sallyport/crypto/envelope'
import { requireRoot, type SessionPlace } from './session-keys.ts'

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
  const { sessionId } = place
  const { version, keyId } = parseMessageKey(encryptedKey)
  const root = requireRoot(place, keyId)
  if (version === 2) {
    const message = await openSessionMessage({ root, sessionId, encryptedKey, encryptedContent })
    return { ...message, senderName: message.senderName || null }
  }
  const sealed = { root, kind: 'session', contextId: sessionId, encryptedKey, encryptedContent } as const
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
  const { sessionId } = place
  const key = keyOfName(sealedName)
  if (key?.version !== 2) {
    const name = await openEarlierName(sealedName, place)
    return name === null ? null : { name, senderId: null }
  }
  try {
    const root = requireRoot(place, key.keyId)
    const { senderName, senderId } = await openSessionName({ root, sessionId, participantId, sealedName })
    return senderName === '' ? null : { name: senderName, senderId }
  } catch {
    return null
  }
}

/** A name that is not sealed is the server's word, and counts only where the server can read everything anyway. */
async function openEarlierName(sealed: string, place: SessionPlace): Promise<string | null> {
  const [encryptedKey, encryptedContent, ...more] = sealed.split('.')
  if (encryptedKey === undefined || encryptedContent === undefined || more.length > 0) {
    return place.keyMode === 'pin' ? sealed : null
  }
  try {
    const contextId = place.sessionId
    const root = requireRoot(place, parseMessageKey(encryptedKey).keyId)
    return (await openMessage({ root, kind: 'session', contextId, encryptedKey, encryptedContent })).text
  } catch {
    return null
  }
}

/** The key id that a sealed name carries; null for a name that is not sealed. */
export const keyIdOfName = (sealedName: string): Uint8Array | null => keyOfName(sealedName)?.keyId ?? null

function keyOfName(sealedName: string): MessageKeyParts | null {
  try {
    return parseMessageKey(sealedName.split('.')[0] ?? '')
  } catch {
    return null
  }
}

/** How many of the participants were heard of lately. */
export const countPresent = ({ participants }: Pick<Session, 'participants'>): number =>
  participants.filter(({ present }) => present).length
