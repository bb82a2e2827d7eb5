import type { Call } from '@sallyport/client/call'
import { type Message, messages } from '@sallyport/contract/messages'
import { queryOptions } from '@tanstack/react-query'

/** Oldest first, as the server gives them. */
export type MessageList = readonly Message[]

export const messagesQuery = (call: Call) =>
  queryOptions({ queryKey: ['messages'], queryFn: (): Promise<MessageList> => call(messages.list, {}) })

/** Puts messages into their places by time; those that are there already are left alone. */
export function addToMessages(listed: MessageList | undefined, added: MessageList): MessageList | undefined {
  const known = new Set(listed?.map(({ id }) => id))
  const unknown = added.filter(({ id }) => !known.has(id))
  if (!listed || unknown.length === 0) return listed
  return [...listed, ...unknown].sort((one, other) => one.createdAt - other.createdAt)
}

export const takeFromMessages = (listed: MessageList | undefined, id: string): MessageList | undefined =>
  listed?.filter((message) => message.id !== id)
