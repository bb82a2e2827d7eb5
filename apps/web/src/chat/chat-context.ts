import type { Call } from '@sallyport/client/call'
import type { Message } from '@sallyport/contract/messages'
import { createContext } from 'react'
import type { Composer } from '#/messages/composer.ts'
import type { MessageBook } from '#/messages/message-book.ts'
import type { MessageNews } from '#/messages/message-news.ts'
import type { MessagePages } from '#/messages/message-pages.ts'
import type { Troubles } from '#/messages/troubles.ts'
import { useRequired } from '#/ui/use-required.ts'

/** What works on the messages of the account that is open, whatever screen is shown. */
export interface ChatWork {
  /** A refusal of one of these calls ends the sign-in. */
  readonly call: Call
  readonly book: MessageBook
  readonly composer: Composer
  readonly news: MessageNews
  readonly pages: MessagePages<Message>
  readonly troubles: Troubles
}

const ChatContext = createContext<ChatWork | null>(null)

export const ChatProvider = ChatContext.Provider
export const useChatWork = (): ChatWork => useRequired(ChatContext)
