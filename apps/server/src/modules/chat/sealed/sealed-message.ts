import { createHash } from 'node:crypto'
import { chatLimits, recordOverheadBytes } from '@sallyport/contract/limits'
import {
  longestSenderNameBytes,
  type MessageKeyParts,
  type MessageKind,
  parseMessageKey,
} from '@sallyport/crypto/envelope'
import { apiError } from '../../../errors.ts'

export interface SealedMessage {
  readonly sealedText: string
  readonly wrappedKey: string
}

/**
 * Maximum bytes sealed along with a text: version, time and padding mark, in a session also the sender's id and name.
 */
const overheadBytes = { personal: 10, session: 10 + 16 + 2 + longestSenderNameBytes } as const
const blockBytes = 64
const maxForeignKeyLength = 8192

const paddedBytes = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes

function maxSealedTextLength(kind: Conversation['kind']): number {
  const sealedBytes = recordOverheadBytes + paddedBytes(overheadBytes[kind] + chatLimits.textBytes)
  return Math.ceil((sealedBytes * 4) / 3)
}

interface Conversation {
  readonly kind: MessageKind
  /** The id of the user or of the session. */
  readonly contextId: string
}

/** Throws unless the message is sealed for this conversation. A server that is not strict checks only the lengths. */
export function requireSealedMessage(message: SealedMessage, { kind, contextId }: Conversation, strict: boolean): void {
  if (message.sealedText.length > maxSealedTextLength(kind)) throw apiError('MESSAGE_TOO_LONG')
  if (!strict) {
    if (message.wrappedKey.length > maxForeignKeyLength) throw apiError('SEALED_MESSAGE_REQUIRED')
    return
  }
  const parts = readMessageKey(message.wrappedKey)
  if (!parts || !isSealedText(message.sealedText)) throw apiError('SEALED_MESSAGE_REQUIRED')
  if (parts.kind !== kind || !contextOf(contextId).equals(parts.context)) throw apiError('ENVELOPE_KIND')
}

/** True for IV, padded blocks and tag in canonical base64url. */
function isSealedText(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  const blocksBytes = bytes.length - recordOverheadBytes
  return blocksBytes > 0 && blocksBytes % blockBytes === 0 && bytes.toString('base64url') === text
}

function readMessageKey(text: string): MessageKeyParts | null {
  try {
    return parseMessageKey(text)
  } catch {
    return null
  }
}

const contextOf = (contextId: string): Buffer => createHash('sha256').update(contextId).digest().subarray(0, 16)
