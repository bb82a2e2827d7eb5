import type { Call } from '@sallyport/client/call'
import type { Message } from '@sallyport/contract/messages'
import { createContext } from 'react'
import type { Conversation } from '#/components/messages/conversation.ts'
import { useRequiredContext } from '#/lib/use-required-context.ts'

/** The chat of the signed-in account, available on every screen. */
export interface ChatContextValue extends Conversation<Message> {
  /** Signs out when the server rejects one of these calls with 401 or 403. */
  readonly call: Call
}

const ChatContext = createContext<ChatContextValue | null>(null)

export const ChatProvider = ChatContext.Provider
export const useChat = (): ChatContextValue => useRequiredContext(ChatContext)
