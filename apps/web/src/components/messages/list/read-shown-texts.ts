import type { Composer } from '../composer/composer.ts'
import type { ListedMessage } from '../listed-message.ts'
import type { MessageCache } from '../message-cache.ts'
import { isUnlisted, overUntil, shownMessages } from './message-rows.ts'

interface ShownConversation<Listed extends ListedMessage> {
  /** Loads all messages, oldest first. */
  readonly loadAll: () => Promise<readonly Listed[]>
  readonly messageCache: Pick<MessageCache<Listed>, 'readTexts'>
  readonly composer: Pick<Composer, 'current'>
  readonly now: () => number
}

/** The texts of a whole conversation as it is shown, oldest first and the one being sent last. */
export async function readShownTexts<Listed extends ListedMessage>(
  conversation: ShownConversation<Listed>,
): Promise<readonly string[]> {
  const { loadAll, messageCache, composer, now } = conversation
  const { outgoing } = composer.current()
  const listed = await loadAll()
  const texts = await messageCache.readTexts(shownMessages(listed, overUntil(listed, now())))
  return isUnlisted(outgoing, listed) ? [...texts, outgoing.text] : texts
}
