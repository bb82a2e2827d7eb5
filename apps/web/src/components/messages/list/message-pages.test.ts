import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import type { ListedMessage } from '../listed-message.ts'
import { createMessageSync } from '../message-sync.ts'
import { createMessagePages, type LoadPage } from './message-pages.ts'

const createMessage = (createdAt: number): ListedMessage => ({
  id: `message ${createdAt}`,
  encryptedContent: 'sealed',
  encryptedKey: `key ${createdAt}`,
  createdAt,
  expiresAt: createdAt + 60_000,
})

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Creates a conversation with a fake server that stores messages of these times and returns four per page. */
function createConversation(stored: number[], customLoad?: LoadPage<ListedMessage>) {
  const requests: string[] = []
  const delay = { until: Promise.resolve() }
  const load: LoadPage<ListedMessage> = async (cursor) => {
    const { before = Number.POSITIVE_INFINITY, after } = cursor
    requests.push(after === undefined ? `before ${before}` : `after ${after}`)
    const snapshot = [...stored]
    await delay.until
    if (after !== undefined) {
      const newer = snapshot.filter((time) => time > after)
      const page = newer.slice(0, 4)
      return { messages: page.map(createMessage), before: null, next: newer.length > 4 ? (page.at(-1) ?? null) : null }
    }
    const older = snapshot.filter((time) => time < before)
    const page = older.slice(-4)
    return { messages: page.map(createMessage), before: older.length > 4 ? (page[0] ?? null) : null, next: null }
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryKey = ['messages']
  const pages = createMessagePages({ queries, queryKey, load: customLoad ?? load })
  return {
    pages,
    sync: createMessageSync({ queries, queryKey, pages }),
    delay,
    requests,
    stored,
    fetch: () => queries.fetchQuery({ ...pages.query, staleTime: 0 }),
    listedTimes: () => queries.getQueryData<readonly ListedMessage[]>(queryKey)?.map(({ createdAt }) => createdAt),
  }
}

test('CHT-01 message pages: the newest page is loaded first, and older ones on demand until none is left', async () => {
  const { pages, fetch, listedTimes } = createConversation(range(1, 10))

  await fetch()
  expect([listedTimes(), pages.older.current()]).toEqual([range(7, 10), 'more'])
  await pages.loadOlder()
  expect([listedTimes(), pages.older.current()]).toEqual([range(3, 10), 'more'])
  await pages.loadOlder()
  expect([listedTimes(), pages.older.current()]).toEqual([range(1, 10), 'none'])
})

test('CHT-01 message pages: two concurrent requests for older messages load one page', async () => {
  const { pages, requests, fetch } = createConversation(range(1, 10))
  await fetch()

  await Promise.all([pages.loadOlder(), pages.loadOlder()])

  expect(requests).toEqual(['before Infinity', 'before 7'])
})

test('CHT-04 message pages: a reload keeps the loaded range, fills the gap before new messages, and drops deleted ones', async () => {
  const { pages, stored, fetch, listedTimes } = createConversation(range(1, 12))
  await fetch()
  await pages.loadOlder()
  stored.push(...range(13, 20))
  stored.splice(stored.indexOf(6), 1)

  await fetch()

  expect(listedTimes()).toEqual([4, 5, ...range(7, 20)])
  expect(pages.older.current()).toBe('more')
})

test('message pages: a failed page sets the state to failed and can be retried', async () => {
  let isDown = false
  const failing = createConversation([], async ({ before = 10 }) => {
    if (isDown) throw new Error('no network')
    return { messages: [createMessage(before - 1)], before: before > 2 ? before - 1 : null, next: null }
  })
  const { pages, fetch, listedTimes } = failing
  await fetch()

  isDown = true
  await pages.loadOlder()
  expect(pages.older.current()).toBe('failed')
  await expect(pages.loadAll()).rejects.toThrow()
  isDown = false
  await pages.loadOlder()

  expect([listedTimes(), pages.older.current()]).toEqual([[8, 9], 'more'])
})

test('message pages: requests stop when the server returns pages that make no progress', async () => {
  let requestCount = 0
  const { pages, fetch } = createConversation([], async ({ after }) => {
    requestCount += 1
    return { messages: [createMessage(50)], before: after === undefined ? 50 : null, next: after ?? null }
  })

  await fetch()
  await pages.loadAll()
  expect(pages.older.current()).toBe('none')
  await fetch()
  await pages.listAfter(10)

  expect(requestCount).toBeLessThan(8)
})

test('message pages: listAfter returns all messages after a time over several pages', async () => {
  const { pages } = createConversation(range(1, 11))
  expect((await pages.listAfter(1)).map(({ createdAt }) => createdAt)).toEqual(range(2, 11))
})

const shortDelay = () => new Promise((resolve) => setTimeout(resolve, 20))

test('CHT-04 message sync: messages that are announced during a fetch are fetched after it completes', async () => {
  const { pages, sync, delay, requests, stored, fetch, listedTimes } = createConversation(range(1, 10))
  await fetch()
  await pages.loadOlder()
  requests.length = 0
  const response = Promise.withResolvers<void>()
  delay.until = response.promise
  const fetching = fetch()

  for (const time of [11, 12, 13]) {
    stored.push(time)
    sync.onInserted(`message ${time}`, time)
    await shortDelay()
  }
  response.resolve()
  await fetching
  await until(() => listedTimes()?.length === 11)

  expect(listedTimes()).toEqual(range(3, 13))
  expect(requests).toEqual(['before Infinity', 'before 7', 'after 10'])
})

test('CHT-04 message sync: a refresh during a fetch lets it complete and requests newer messages once', async () => {
  const { sync, delay, requests, stored, fetch, listedTimes } = createConversation(range(1, 4))
  const response = Promise.withResolvers<void>()
  delay.until = response.promise
  const fetching = fetch()
  const refreshed = sync.refresh()
  stored.push(5)

  response.resolve()
  await Promise.all([fetching, refreshed])

  expect(listedTimes()).toEqual(range(1, 5))
  expect(requests).toEqual(['before Infinity', 'after 4'])
})

test('CHT-04 message sync: a poll requests the newest page only, adds new messages and drops deleted ones', async () => {
  const { pages, sync, requests, stored, fetch, listedTimes } = createConversation(range(1, 12))
  await fetch()
  await pages.loadOlder()
  requests.length = 0
  stored.push(13)
  stored.splice(stored.indexOf(11), 1)

  await sync.poll()

  expect(listedTimes()).toEqual([...range(5, 10), 12, 13])
  expect(requests).toEqual(['before Infinity'])
})

test('CHT-04 message sync: a poll fills the gap after more new messages than a page contains', async () => {
  const { sync, stored, fetch, listedTimes } = createConversation(range(1, 4))
  await fetch()
  stored.push(...range(5, 15))

  await sync.poll()

  expect(listedTimes()).toEqual(range(1, 15))
})

test('CHT-04 message sync: a poll during another poll or a fetch sends no request', async () => {
  const { sync, delay, requests, fetch } = createConversation(range(1, 4))
  const response = Promise.withResolvers<void>()
  delay.until = response.promise
  const fetching = fetch()
  await sync.poll()
  response.resolve()
  await fetching
  const nextResponse = Promise.withResolvers<void>()
  delay.until = nextResponse.promise

  const polls = [sync.poll(), sync.poll()]
  nextResponse.resolve()
  await Promise.all(polls)

  expect(requests).toEqual(['before Infinity', 'before Infinity'])
})

test.each(['one message', 'all messages'])(
  'message pages: %s deleted while older ones load are not restored',
  async (what) => {
    const { pages, delay, fetch, listedTimes } = createConversation(range(1, 10))
    await fetch()
    const response = Promise.withResolvers<void>()
    delay.until = response.promise
    const loading = pages.loadOlder()

    if (what === 'all messages') pages.removeAll()
    else pages.remove('message 5')
    response.resolve()
    await loading

    expect(listedTimes()).toEqual(what === 'all messages' ? [] : [3, 4, ...range(6, 10)])
    expect(pages.older.current()).toBe(what === 'all messages' ? 'none' : 'more')
  },
)

test('message pages: a message that the server failed to delete is restored', async () => {
  const { pages, fetch, listedTimes } = createConversation(range(1, 4))
  const listed = await fetch()
  pages.removeAll()

  pages.restore(listed)
  await fetch()

  expect(listedTimes()).toEqual(range(1, 4))
})
