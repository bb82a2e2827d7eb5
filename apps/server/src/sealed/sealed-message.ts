import { createHash } from 'node:crypto'
import { chatLimits, recordOverheadBytes } from '@sallyport/contract/limits'
import {
  longestSenderNameBytes,
  type MessageKeyParts,
  type MessageKind,
  parseMessageKey,
} from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'

interface SealedMessage {
  readonly sealedText: string
  readonly wrappedKey: string
}

/** What is sealed beside a text, at most: version and time, in a session the sender's id and name, and the mark at the end. */
const besideTextBytes = { personal: 10, session: 10 + 16 + 2 + longestSenderNameBytes } as const
const blockBytes = 64
const longestForeignKey = 8192

const paddedBytes = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes

function longestSealedText(kind: Conversation['kind']): number {
  const sealedBytes = recordOverheadBytes + paddedBytes(besideTextBytes[kind] + chatLimits.textBytes)
  return Math.ceil((sealedBytes * 4) / 3)
}

interface Conversation {
  readonly kind: MessageKind
  /** The id of the user or of the session. */
  readonly contextId: string
}

/** Refuses whatever is not sealed for this very conversation; a server that is not strict only looks at the lengths. */
export function requireSealedMessage(message: SealedMessage, { kind, contextId }: Conversation, strict: boolean): void {
  if (message.sealedText.length > longestSealedText(kind)) throw refuse('MESSAGE_TOO_LONG')
  if (!strict) {
    if (message.wrappedKey.length > longestForeignKey) throw refuse('SEALED_MESSAGE_REQUIRED')
    return
  }
  const parts = readMessageKey(message.wrappedKey)
  if (!parts || !isSealedText(message.sealedText)) throw refuse('SEALED_MESSAGE_REQUIRED')
  if (parts.kind !== kind || !contextOf(contextId).equals(parts.context)) throw refuse('ENVELOPE_KIND')
}

/** IV, padded blocks and tag, in the one way base64url can be written. */
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
