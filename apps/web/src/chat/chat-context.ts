import type { Call } from '@sallyport/client/call'
import type { Observable } from '@sallyport/client/observable'
import { createContext } from 'react'
import { useRequired } from '#/ui/use-required.ts'
import type { Composer } from './composer.ts'
import type { MessageBook } from './message-book.ts'
import type { MessageNews } from './message-news.ts'
import type { Trouble } from './troubles.ts'

/** What works on the messages of the account that is open, whatever screen is shown. */
export interface ChatWork {
  /** A refusal of one of these calls ends the sign-in. */
  readonly call: Call
  readonly book: MessageBook
  readonly composer: Composer
  readonly news: MessageNews
  readonly troubles: Observable<Trouble | null> & { readonly tell: (trouble: Trouble) => void }
}

const ChatContext = createContext<ChatWork | null>(null)

export const ChatProvider = ChatContext.Provider
export const useChatWork = (): ChatWork => useRequired(ChatContext)
