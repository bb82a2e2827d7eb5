import type { Outgoing } from './composer.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessageAuthor, OpenedMessages } from './message-book.ts'

/** A message as it is shown. */
export interface MessageRow {
  /** The same from the moment it is sealed here until it is gone. */
  readonly key: string
  /** Null while it is on its way. */
  readonly id: string | null
  /** Null when this account's key does not open it. */
  readonly text: string | null
  /** Left out where all messages are one person's own. */
  readonly author?: MessageAuthor
  /** When it was sent; the sender's clock where it and the server's differ by much. */
  readonly time: number
  readonly isByDeviceClock: boolean
  readonly lifetime: { readonly from: number; readonly until: number } | null
}

const sameClockMs = 5 * 60_000

interface Conversation {
  readonly listed: readonly ListedMessage[]
  readonly opened: OpenedMessages
  readonly outgoing: Outgoing | null
  /** Who writes here; left out where nobody needs to be told. */
  readonly me?: MessageAuthor
  /** What ended by then is over. */
  readonly overUntil: number
}

/**
 * The messages that are not over. One that is listed twice is shown once: the server could replay one, and its key tells
 * it from any other.
 */
export function shownMessages<Listed extends ListedMessage>(
  listed: readonly Listed[],
  overUntil: number,
): readonly Listed[] {
  const keys = new Set<string>()
  return listed.filter(({ encryptedKey, expiresAt }) => {
    if (expiresAt <= overUntil || keys.has(encryptedKey)) return false
    keys.add(encryptedKey)
    return true
  })
}

/** Whether a message is on its way and not in the list yet. */
export const isUnlisted = (outgoing: Outgoing | null, listed: readonly ListedMessage[]): outgoing is Outgoing =>
  outgoing !== null && !listed.some(({ encryptedKey }) => encryptedKey === outgoing.encryptedKey)

/** What there is to read, oldest first: what is open and not over, and last what is on its way. */
export function rowsOf({ listed, opened, outgoing, me, overUntil }: Conversation): readonly MessageRow[] {
  const rows = shownMessages(listed, overUntil).flatMap((message): MessageRow[] => {
    const content = opened.get(message.id)
    if (content === undefined) return []
    const isByDeviceClock = content !== null && Math.abs(content.sentAt - message.createdAt) > sameClockMs
    return [
      {
        key: message.encryptedKey,
        id: message.id,
        text: content?.text ?? null,
        ...(content?.author && { author: content.author }),
        time: isByDeviceClock ? content.sentAt : message.createdAt,
        isByDeviceClock,
        lifetime: { from: message.createdAt, until: message.expiresAt },
      },
    ]
  })
  if (!isUnlisted(outgoing, listed)) return rows
  return [...rows, { ...rowOf(outgoing), ...(me && { author: me }) }]
}

function rowOf({ encryptedKey, text, sentAt }: Outgoing): MessageRow {
  const key = encryptedKey ?? 'being sealed'
  return { key, id: null, text, time: sentAt, isByDeviceClock: false, lifetime: null }
}

/** The end of the last message that is over by now; 0 while none is. */
export const overUntil = (listed: readonly ListedMessage[], now: number): number =>
  listed.reduce((latest, { expiresAt }) => (expiresAt <= now && expiresAt > latest ? expiresAt : latest), 0)
