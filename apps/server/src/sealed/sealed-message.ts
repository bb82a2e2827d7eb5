import { createHash } from 'node:crypto'
import { chatLimits, recordOverheadBytes } from '@sallyport/contract/limits'
import { type MessageKeyParts, parseMessageKey } from '@sallyport/crypto/envelope'
import { refuse } from '../errors.ts'

interface SealedMessage {
  readonly sealedText: string
  readonly wrappedKey: string
}

/** The version and the time that are sealed with every text, and the mark at its end. */
const besideTextBytes = 10
const blockBytes = 64
const longestForeignKey = 8192

const paddedBytes = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes
const longestSealedBytes = recordOverheadBytes + paddedBytes(besideTextBytes + chatLimits.textBytes)
const longestSealedText = Math.ceil((longestSealedBytes * 4) / 3)

interface Conversation {
  readonly kind: MessageKeyParts['kind']
  /** The id of the user or of the session. */
  readonly contextId: string
}

/** Refuses whatever is not sealed for this very conversation; a server that is not strict only looks at the lengths. */
export function requireSealedMessage(message: SealedMessage, { kind, contextId }: Conversation, strict: boolean): void {
  if (message.sealedText.length > longestSealedText) throw refuse('MESSAGE_TOO_LONG')
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
