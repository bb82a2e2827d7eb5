import type { Call } from '@sallyport/client/call'
import { type Message, messages } from '@sallyport/contract/messages'
import { queryOptions } from '@tanstack/react-query'

/** Oldest first, as the server gives them. */
export type MessageList = readonly Message[]

export const messagesQuery = (call: Call) =>
  queryOptions({ queryKey: ['messages'], queryFn: (): Promise<MessageList> => call(messages.list, {}) })

/** Asks for those that were made after a time in epoch milliseconds. */
export const listAfter =
  (call: Call) =>
  (after: number): Promise<MessageList> =>
    call(messages.list, { query: { after: String(after) } })
