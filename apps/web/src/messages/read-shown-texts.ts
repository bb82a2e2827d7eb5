import type { Composer } from './composer.ts'
import type { ListedMessage } from './listed-message.ts'
import type { MessageBook } from './message-book.ts'
import { isUnlisted, overUntil, shownMessages } from './rows.ts'

interface ShownConversation<Listed extends ListedMessage> {
  /** Loads all messages, oldest first. */
  readonly loadAll: () => Promise<readonly Listed[]>
  readonly book: Pick<MessageBook<Listed>, 'readTexts'>
  readonly composer: Pick<Composer, 'current'>
  readonly now: () => number
}

/** The texts of a whole conversation as it is shown, oldest first and the one that is being sent last. */
export async function readShownTexts<Listed extends ListedMessage>(
  conversation: ShownConversation<Listed>,
): Promise<readonly string[]> {
  const { loadAll, book, composer, now } = conversation
  const { outgoing } = composer.current()
  const listed = await loadAll()
  const texts = await book.readTexts(shownMessages(listed, overUntil(listed, now())))
  return isUnlisted(outgoing, listed) ? [...texts, outgoing.text] : texts
}
