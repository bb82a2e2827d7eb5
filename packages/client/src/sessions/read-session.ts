import type { Participant, Session, SessionMessage } from '@sallyport/contract/session-shapes'
import { openMessage, openSessionMessage, openSessionName } from '@sallyport/crypto'
import { type MessageKeyParts, parseMessageKey } from '@sallyport/crypto/envelope'
import { requireRoot, type SessionContext } from './session-keys.ts'

export interface ReadSessionMessage {
  readonly text: string
  /** Epoch milliseconds, by the sender's clock. */
  readonly sentAt: number
  /** Chosen by the sender's client; null in messages of version 1, which are bound to no sender. */
  readonly senderId: string | null
  /** Null if the sender has chosen none. */
  readonly senderName: string | null
}

type SealedSessionMessage = Pick<SessionMessage, 'content' | 'encrypted_key' | 'participant_name'>

/**
 * Opens a message with its sender. In version 2 both are sealed together, and the server's statement about the sender
 * is ignored. Rejects for a message of another session, for a sealed name, and for an altered one.
 */
export async function readSessionMessage(
  { content: encryptedContent, encrypted_key: encryptedKey, participant_name }: SealedSessionMessage,
  context: SessionContext,
): Promise<ReadSessionMessage> {
  const { sessionId } = context
  const { version, keyId } = parseMessageKey(encryptedKey)
  const root = requireRoot(context, keyId)
  if (version === 2) {
    const message = await openSessionMessage({ root, sessionId, encryptedKey, encryptedContent })
    return { ...message, senderName: message.senderName || null }
  }
  const sealed = { root, kind: 'session', contextId: sessionId, encryptedKey, encryptedContent } as const
  const [message, senderName] = await Promise.all([openMessage(sealed), openVersion1Name(participant_name, context)])
  return { ...message, senderId: null, senderName }
}

export interface ReadParticipantName {
  readonly name: string
  /** Null in names of version 1. */
  readonly senderId: string | null
}

/**
 * Opens the name that a participant has sealed for themselves. Returns null if there is none, if it was sealed for
 * another participant, or if this key does not open it.
 */
export async function readParticipantName(
  { id: participantId, participant_name: sealedName }: Pick<Participant, 'id' | 'participant_name'>,
  context: SessionContext,
): Promise<ReadParticipantName | null> {
  const { sessionId } = context
  const key = parseNameKey(sealedName)
  if (key?.version !== 2) {
    const name = await openVersion1Name(sealedName, context)
    return name === null ? null : { name, senderId: null }
  }
  try {
    const root = requireRoot(context, key.keyId)
    const { senderName, senderId } = await openSessionName({ root, sessionId, participantId, sealedName })
    return senderName === '' ? null : { name: senderName, senderId }
  } catch {
    return null
  }
}

/**
 * A plain name comes from the server and is accepted only in the mode in which the server can read everything anyway.
 */
async function openVersion1Name(sealed: string, context: SessionContext): Promise<string | null> {
  const [encryptedKey, encryptedContent, ...more] = sealed.split('.')
  if (encryptedKey === undefined || encryptedContent === undefined || more.length > 0) {
    return context.keyMode === 'pin' ? sealed : null
  }
  try {
    const contextId = context.sessionId
    const root = requireRoot(context, parseMessageKey(encryptedKey).keyId)
    return (await openMessage({ root, kind: 'session', contextId, encryptedKey, encryptedContent })).text
  } catch {
    return null
  }
}

/** The key id of a sealed name; null for a plain name. */
export const keyIdOfName = (sealedName: string): Uint8Array | null => parseNameKey(sealedName)?.keyId ?? null

function parseNameKey(sealedName: string): MessageKeyParts | null {
  try {
    return parseMessageKey(sealedName.split('.')[0] ?? '')
  } catch {
    return null
  }
}

/** How many participants are present. */
export const countPresent = ({ participants }: Pick<Session, 'participants'>): number =>
  participants.filter(({ present }) => present).length
