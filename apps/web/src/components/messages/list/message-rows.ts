import type { OutgoingMessage } from '../composer/composer.ts'
import type { ListedMessage } from '../listed-message.ts'
import type { DecryptedMessages, MessageAuthor } from '../message-cache.ts'
import { type MessageWarning, warningsOf } from './message-warnings.ts'

/** A message as it is shown. */
export interface MessageRow {
  /** Stable from encryption until the message expires. */
  readonly key: string
  /** Null while it is being sent. */
  readonly id: string | null
  /** Null where the available key does not decrypt it. */
  readonly text: string | null
  /** Absent where all messages belong to one user. */
  readonly author?: MessageAuthor
  /**
   * When it was sent: by the server's clock, or by the sender's clock where the two differ by more than five minutes.
   */
  readonly time: number
  readonly isByDeviceClock: boolean
  readonly warning: MessageWarning | null
  readonly lifetime: { readonly from: number; readonly until: number } | null
}

const maxClockSkewMs = 5 * 60_000

interface RowsInput {
  readonly listed: readonly ListedMessage[]
  readonly decrypted: DecryptedMessages
  readonly outgoing: OutgoingMessage | null
  /** The current user; absent where authors are not shown. */
  readonly me?: MessageAuthor
  /** Messages that expire at or before this time are hidden. */
  readonly expiredUntil: number
}

/** Filters out expired messages, and ids that a server lists twice. */
export function shownMessages<Listed extends ListedMessage>(
  listed: readonly Listed[],
  expiredUntil: number,
): readonly Listed[] {
  const ids = new Set<string>()
  return listed.filter(({ id, expiresAt }) => {
    if (expiresAt <= expiredUntil || ids.has(id)) return false
    ids.add(id)
    return true
  })
}

/** Whether a message is being sent and is not in the list yet. */
export const isUnlisted = (
  outgoing: OutgoingMessage | null,
  listed: readonly ListedMessage[],
): outgoing is OutgoingMessage =>
  outgoing !== null && !listed.some(({ encryptedKey }) => encryptedKey === outgoing.encryptedKey)

/** The rows to show, oldest first: decrypted, unexpired messages, and last the one being sent. */
export function rowsOf({ listed, decrypted, outgoing, me, expiredUntil }: RowsInput): readonly MessageRow[] {
  // Of all messages: a repeated one stays marked when the first one has expired.
  const warnings = warningsOf(listed, decrypted)
  const rows = shownMessages(listed, expiredUntil).flatMap((message): MessageRow[] => {
    const content = decrypted.get(message.id)
    if (content === undefined) return []
    const warning = warnings.get(message.id) ?? null
    const isByDeviceClock = content !== null && Math.abs(content.sentAt - message.createdAt) > maxClockSkewMs
    return [
      {
        key: content === null || warning === 'repeated' ? message.id : message.encryptedKey,
        id: message.id,
        text: content?.text ?? null,
        ...(content?.author && { author: content.author }),
        time: isByDeviceClock ? content.sentAt : message.createdAt,
        isByDeviceClock,
        warning,
        lifetime: { from: message.createdAt, until: message.expiresAt },
      },
    ]
  })
  if (!isUnlisted(outgoing, listed)) return rows
  return [...rows, { ...rowOf(outgoing), ...(me && { author: me }) }]
}

function rowOf({ encryptedKey, text, sentAt }: OutgoingMessage): MessageRow {
  const key = encryptedKey ?? 'being sealed'
  return { key, id: null, text, time: sentAt, isByDeviceClock: false, warning: null, lifetime: null }
}

/** The latest expiration among the messages that have expired; 0 if none has. */
export const overUntil = (listed: readonly ListedMessage[], now: number): number =>
  listed.reduce((latest, { expiresAt }) => (expiresAt <= now && expiresAt > latest ? expiresAt : latest), 0)
