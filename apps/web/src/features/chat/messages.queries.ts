import type { Call } from '@sallyport/client/call'
import { type Message, messages } from '@sallyport/contract/messages'
import type { LoadPage } from '#/components/messages/list/message-pages.ts'

/** Oldest first, as the server returns them. */
export type MessageList = readonly Message[]

export const messagesKey = ['messages'] as const

/** Fetches one page of the account's messages. */
export const loadPage =
  (call: Call): LoadPage<Message> =>
  ({ before, after }, signal) => {
    const query = {
      ...(before !== undefined && { before: String(before) }),
      ...(after !== undefined && { after: String(after) }),
    }
    return call(messages.page, { query }, { signal })
  }
