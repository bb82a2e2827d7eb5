import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { messages } from '@sallyport/contract/messages'
import { openMessage, type Root, sealMessage } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { checkLength } from '#/messages/check-length.ts'
import { createComposer } from '#/messages/composer.ts'
import type { ListedMessage } from '#/messages/listed-message.ts'
import { createMessageBook } from '#/messages/message-book.ts'
import { addToMessages, createMessageNews } from '#/messages/message-news.ts'
import { createMessagePages } from '#/messages/message-pages.ts'
import { createTroubles } from '#/messages/troubles.ts'
import type { ChatWork } from './chat-context.ts'
import { loadPage, type MessageList, messagesKey } from './messages.queries.ts'
import { troubleOfSending } from './troubles.ts'

interface Parts {
  readonly call: Call
  readonly queries: QueryClient
  readonly accountKey: Root
  readonly userId: string
  /** Ends the sign-in that the server no longer lets in. */
  readonly onRefused: () => void
}

/** The chat of the account that has just been opened. */
export function openChat({ call: plainCall, queries, accountKey, userId, onRefused }: Parts): ChatWork {
  const call = endingRefused(plainCall, onRefused)
  const queryKey = messagesKey
  const pages = createMessagePages({ queries, queryKey, load: loadPage(call) })
  const book = createMessageBook((message) =>
    openMessage({ root: accountKey, kind: 'personal', contextId: userId, ...sealedPart(message) }),
  )
  const troubles = createTroubles()

  const composer = createComposer({
    seal: (message) => sealMessage({ root: accountKey, kind: 'personal', contextId: userId, ...checkLength(message) }),
    deliver: ({ encryptedContent, encryptedKey }) =>
      call(messages.send, { body: { encryptedMessage: encryptedContent, encryptedKey } }),
    onDelivered(message, opened) {
      book.enter(message.id, opened)
      queries.setQueryData<MessageList>(queryKey, (listed) => addToMessages(listed, [message]))
    },
    onFailure: (error) => troubles.tell(troubleOfSending(error)),
    now: () => Date.now(),
  })

  const news = createMessageNews({ queries, queryKey, pages })
  return { call, book, composer, troubles, pages, news }
}

const sealedPart = ({ encryptedContent, encryptedKey }: Omit<ListedMessage, 'createdAt' | 'expiresAt'>) => ({
  encryptedContent,
  encryptedKey,
})

/** A 401 ends the sign-in wherever it is met; in the chat, so does a 403. */
function endingRefused(call: Call, onRefused: () => void): Call {
  return async (endpoint, sent, options) => {
    try {
      return await call(endpoint, sent, options)
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) onRefused()
      throw error
    }
  }
}
