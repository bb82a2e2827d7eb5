import type { Call } from '@sallyport/client/call'
import type { Message } from '@sallyport/contract/messages'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createMessageNews } from '#/messages/message-news.ts'
import { createMessagePages } from '#/messages/message-pages.ts'
import { until } from '#/testing/until.ts'
import { loadPage, type MessageList, messagesKey } from './messages.queries.ts'

const aMessage = (id: string, createdAt: number): Message => ({
  id,
  encryptedContent: 'sealed',
  encryptedKey: `key of ${id}`,
  createdAt,
  expiresAt: createdAt + 60_000,
})

/** A page that shows these messages, in front of a server that keeps those. */
function openPage({ shown, kept }: { shown: readonly Message[]; kept: Message[] }) {
  const asked: number[] = []
  const held = { answers: Promise.resolve() }
  const call = (async (_endpoint: unknown, { query }: { query?: { after?: string } }) => {
    const after = Number(query?.after ?? 0)
    asked.push(after)
    const answer = kept.filter(({ createdAt }) => createdAt > after)
    await held.answers
    return { messages: answer, before: null, next: null }
  }) as unknown as Call
  const queries = new QueryClient()
  const queryKey = messagesKey
  const pages = createMessagePages({ queries, queryKey, load: loadPage(call) })
  queries.setQueryData(queryKey, shown as MessageList)
  return {
    asked,
    pages,
    held,
    kept,
    news: createMessageNews({ queries, queryKey, pages }),
    ids: () => queries.getQueryData<MessageList>(queryKey)?.map(({ id }) => id),
  }
}

test('CHT-04 only what is newer is asked for, and one that is known is not', async () => {
  const [one, two] = [aMessage('one', 10), aMessage('two', 20)]
  const { news, asked, ids } = openPage({ shown: [one], kept: [one, two] })

  news.hearOfNew('one', 10)
  expect(asked).toEqual([])
  news.hearOfNew('two', 20)

  await until(() => ids()?.length === 2)
  expect(ids()).toEqual(['one', 'two'])
  expect(asked).toEqual([10])
})

test('CHT-04 a message that is heard of after a later one was shown finds its place before it', async () => {
  const [early, own] = [aMessage('early', 10), aMessage('own', 20)]
  const { news, ids } = openPage({ shown: [own], kept: [early, own] })

  news.hearOfNew('early', 10)

  await until(() => ids()?.length === 2)
  expect(ids()).toEqual(['early', 'own'])
})

test('CHT-04 many that are heard of at once are asked for together', async () => {
  const kept = [1, 2, 3, 4, 5, 6].map((time) => aMessage(`message ${time}`, time))
  const { news, asked, ids } = openPage({ shown: [], kept })

  for (const { id, createdAt } of kept) news.hearOfNew(id, createdAt)

  await until(() => ids()?.length === 6)
  expect(asked.length).toBeLessThanOrEqual(2)
})

test('CHT-04 a message that is deleted while it is asked for does not come back', async () => {
  const page = openPage({ shown: [], kept: [aMessage('short-lived', 10)] })
  const answers = Promise.withResolvers<void>()
  page.held.answers = answers.promise

  page.news.hearOfNew('short-lived', 10)
  page.news.hearOfDeleted('short-lived')
  answers.resolve()

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(page.ids()).toEqual([])
})
