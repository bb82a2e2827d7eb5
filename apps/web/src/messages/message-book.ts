import { createSubject, type Observable } from '@sallyport/client/observable'
import type { ListedMessage } from './listed-message.ts'

type SealedMessage = Pick<ListedMessage, 'id' | 'encryptedContent' | 'encryptedKey'>

export interface MessageAuthor {
  /** As they call themselves: anybody may take any name. */
  readonly name: string
  readonly isMe: boolean
}

/** A message that is open. */
interface ReadMessage {
  readonly text: string
  /** Epoch milliseconds, by the sender's clock. */
  readonly sentAt: number
  /** Left out where all messages are one person's own. */
  readonly author?: MessageAuthor
}

/** What was opened so far, by the id of the message; null where the key at hand does not open it. */
export type OpenedMessages = ReadonlyMap<string, ReadMessage | null>

export interface MessageBook<Listed extends SealedMessage = ListedMessage> extends Observable<OpenedMessages> {
  /** Opens those of these messages that are not open yet, the newest first, and forgets all others. */
  open(listed: readonly Listed[]): void
  /** Opens all of these and answers their texts in this order, without those the key at hand does not open. */
  readTexts(listed: readonly Listed[]): Promise<readonly string[]>
  /** Enters what this page has just sealed itself. */
  enter(id: string, opened: ReadMessage): void
}

/** Rejects for what the key at hand does not open. */
type OpenOne<Listed> = (message: Listed) => Promise<ReadMessage>

/** Messages opened together; more at once would hold up the page. */
const batchSize = 24

/** Opens sealed messages a few at a time. One that cannot be opened stays, and is said to be unreadable. */
export function createMessageBook<Listed extends SealedMessage>(openOne: OpenOne<Listed>): MessageBook<Listed> {
  const opened = createSubject<OpenedMessages>(new Map())
  let waiting: readonly Listed[] = []
  let isOpening = false

  async function openWaiting(): Promise<void> {
    isOpening = true
    while (waiting.length > 0) {
      const batch = waiting.slice(-batchSize)
      const texts = await Promise.all(
        batch.map(async (message) => [message.id, await openOne(message).catch(() => null)] as const),
      )
      waiting = waiting.filter((message) => !batch.includes(message))
      opened.set(new Map([...opened.current(), ...texts]))
    }
    isOpening = false
  }

  function open(listed: readonly Listed[]): void {
    const ids = new Set(listed.map(({ id }) => id))
    const known = opened.current()
    const kept = [...known].filter(([id]) => ids.has(id))
    if (kept.length < known.size) opened.set(new Map(kept))
    waiting = listed.filter(({ id }) => !known.has(id))
    if (!isOpening && waiting.length > 0) void openWaiting()
  }

  return {
    current: opened.current,
    subscribe: opened.subscribe,
    open,
    async readTexts(listed) {
      const texts: string[] = []
      for (const message of listed) {
        const known = opened.current().get(message.id)
        const read = known === undefined ? await openOne(message).catch(() => null) : known
        if (read) texts.push(read.text)
      }
      return texts
    },
    enter: (id, message) => opened.set(new Map([...opened.current(), [id, message]])),
  }
}
