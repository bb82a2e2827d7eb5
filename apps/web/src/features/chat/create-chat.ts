import type { Call } from '@sallyport/client/call'
import type { Connectivity } from '@sallyport/client/connectivity'
import { ApiError } from '@sallyport/client/errors'
import { messages } from '@sallyport/contract/messages'
import { openMessage, type RootKey, sealMessage } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { createConversation } from '#/components/messages/conversation.ts'
import type { ErrorNotice } from '#/components/messages/error-notices.ts'
import { chatStrings } from '#/strings/chat.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import type { ChatContextValue } from './chat-context.ts'
import { loadPage, messagesKey } from './messages.queries.ts'

interface CreateChatInput {
  readonly call: Call
  readonly queries: QueryClient
  readonly accountKey: RootKey
  readonly userId: string
  readonly connectivity: Connectivity
  /** Called when the server rejects the user, to sign them out. */
  readonly onUnauthorized: () => void
}

/** Creates the chat of the account that has just been unlocked. */
export function createChat(input: CreateChatInput): ChatContextValue {
  const { queries, accountKey, userId, connectivity, onUnauthorized } = input
  const call = withForbiddenHandler(input.call, onUnauthorized)
  const context = { root: accountKey, kind: 'personal', contextId: userId } as const
  const conversation = createConversation({
    queries,
    queryKey: messagesKey,
    load: loadPage(call),
    open: ({ encryptedContent, encryptedKey }) => openMessage({ ...context, encryptedContent, encryptedKey }),
    seal: (message) => sealMessage({ ...context, ...message }),
    deliver: ({ encryptedContent, encryptedKey }) =>
      call(messages.send, { body: { encryptedMessage: encryptedContent, encryptedKey } }),
    connectivity,
    describeSendError,
  })
  return { call, ...conversation }
}

function describeSendError(error: unknown): ErrorNotice {
  if (!(error instanceof ApiError))
    return { title: chatStrings.sendFailed(messageFor(error, chatStrings.encryptFailed)) }
  const { status, statusText } = error
  return { title: chatStrings.sendFailed(`${status} ${statusText}`.trimEnd()), detail: messageFor(error, '') }
}

/** The caller already signs out after a 401 of the server; in the chat its 403 signs out, too. */
function withForbiddenHandler(call: Call, onUnauthorized: () => void): Call {
  return async (endpoint, input, options) => {
    try {
      return await call(endpoint, input, options)
    } catch (error) {
      if (error instanceof ApiError && error.status === 403 && error.code !== null) onUnauthorized()
      throw error
    }
  }
}
