import type { Call } from '@sallyport/client/call'
import type { Message } from '@sallyport/contract/messages'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createMessagePages } from '#/components/messages/list/message-pages.ts'
import { createMessageSync } from '#/components/messages/message-sync.ts'
import { until } from '#/testing/until.ts'
import { loadPage, type MessageList, messagesKey } from './messages.queries.ts'

const createMessage = (id: string, createdAt: number): Message => ({
  id,
  encryptedContent: 'sealed',
  encryptedKey: `key of ${id}`,
  createdAt,
  expiresAt: createdAt + 60_000,
})

/** Creates a page that lists some messages, with a fake server that stores others. */
function createPage({ shown, storedMessages: stored }: { shown: readonly Message[]; storedMessages: Message[] }) {
  const requests: number[] = []
  const delay = { until: Promise.resolve() }
  const call = (async (_endpoint: unknown, { query }: { query?: { after?: string } }) => {
    const after = Number(query?.after ?? 0)
    requests.push(after)
    const response = stored.filter(({ createdAt }) => createdAt > after)
    await delay.until
    return { messages: response, before: null, next: null }
  }) as unknown as Call
  const queries = new QueryClient()
  const queryKey = messagesKey
  const pages = createMessagePages({ queries, queryKey, load: loadPage(call) })
  queries.setQueryData(queryKey, shown as MessageList)
  return {
    requests,
    pages,
    delay,
    stored,
    sync: createMessageSync({ queries, queryKey, pages }),
    ids: () => queries.getQueryData<MessageList>(queryKey)?.map(({ id }) => id),
  }
}

test('CHT-04 message sync: only newer messages are requested, and known ones are not', async () => {
  const [one, two] = [createMessage('one', 10), createMessage('two', 20)]
  const { sync, requests, ids } = createPage({ shown: [one], storedMessages: [one, two] })

  sync.onInserted('one', 10)
  expect(requests).toEqual([])
  sync.onInserted('two', 20)

  await until(() => ids()?.length === 2)
  expect(ids()).toEqual(['one', 'two'])
  expect(requests).toEqual([10])
})

test('CHT-04 message sync: a message that is announced late is inserted before newer ones', async () => {
  const [early, own] = [createMessage('early', 10), createMessage('own', 20)]
  const { sync, ids } = createPage({ shown: [own], storedMessages: [early, own] })

  sync.onInserted('early', 10)

  await until(() => ids()?.length === 2)
  expect(ids()).toEqual(['early', 'own'])
})

test('CHT-04 message sync: many announcements at once are fetched in at most two requests', async () => {
  const stored = [1, 2, 3, 4, 5, 6].map((time) => createMessage(`message ${time}`, time))
  const { sync, requests, ids } = createPage({ shown: [], storedMessages: stored })

  for (const { id, createdAt } of stored) sync.onInserted(id, createdAt)

  await until(() => ids()?.length === 6)
  expect(requests.length).toBeLessThanOrEqual(2)
})

test('CHT-04 message sync: a message that is deleted during its fetch does not reappear', async () => {
  const page = createPage({ shown: [], storedMessages: [createMessage('short-lived', 10)] })
  const response = Promise.withResolvers<void>()
  page.delay.until = response.promise

  page.sync.onInserted('short-lived', 10)
  page.sync.onDeleted('short-lived')
  response.resolve()

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(page.ids()).toEqual([])
})
