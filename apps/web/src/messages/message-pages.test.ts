import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ListedMessage } from './listed-message.ts'
import { createMessageNews } from './message-news.ts'
import { createMessagePages, type LoadPage } from './message-pages.ts'

const aMessage = (createdAt: number): ListedMessage => ({
  id: `message ${createdAt}`,
  encryptedContent: 'sealed',
  encryptedKey: `key ${createdAt}`,
  createdAt,
  expiresAt: createdAt + 60_000,
})

const times = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A conversation in front of a server that keeps messages made at these times, and gives four at once. */
function openConversation(kept: number[], answer?: LoadPage<ListedMessage>) {
  const asked: string[] = []
  const held = { answers: Promise.resolve() }
  const load: LoadPage<ListedMessage> = async (cursor) => {
    const { before = Number.POSITIVE_INFINITY, after } = cursor
    asked.push(after === undefined ? `before ${before}` : `after ${after}`)
    const there = [...kept]
    await held.answers
    if (after !== undefined) {
      const newer = there.filter((time) => time > after)
      const page = newer.slice(0, 4)
      return { messages: page.map(aMessage), before: null, next: newer.length > 4 ? (page.at(-1) ?? null) : null }
    }
    const older = there.filter((time) => time < before)
    const page = older.slice(-4)
    return { messages: page.map(aMessage), before: older.length > 4 ? (page[0] ?? null) : null, next: null }
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryKey = ['messages']
  const pages = createMessagePages({ queries, queryKey, load: answer ?? load })
  return {
    pages,
    news: createMessageNews({ queries, queryKey, pages }),
    held,
    asked,
    kept,
    fetch: () => queries.fetchQuery({ ...pages.query, staleTime: 0 }),
    shown: () => queries.getQueryData<readonly ListedMessage[]>(queryKey)?.map(({ createdAt }) => createdAt),
  }
}

test('CHT-01 the newest page is loaded first, and each older one on demand until there is none', async () => {
  const { pages, fetch, shown } = openConversation(times(1, 10))

  await fetch()
  expect([shown(), pages.older.current()]).toEqual([times(7, 10), 'more'])
  await pages.loadOlder()
  expect([shown(), pages.older.current()]).toEqual([times(3, 10), 'more'])
  await pages.loadOlder()
  expect([shown(), pages.older.current()]).toEqual([times(1, 10), 'none'])
})

test('CHT-01 two demands for older messages at once load one page', async () => {
  const { pages, asked, fetch } = openConversation(times(1, 10))
  await fetch()

  await Promise.all([pages.loadOlder(), pages.loadOlder()])

  expect(asked).toEqual(['before Infinity', 'before 7'])
})

test('CHT-04 a reload keeps what was loaded, without a gap before many new messages, and drops what was deleted', async () => {
  const { pages, kept, fetch, shown } = openConversation(times(1, 12))
  await fetch()
  await pages.loadOlder()
  kept.push(...times(13, 20))
  kept.splice(kept.indexOf(6), 1)

  await fetch()

  expect(shown()).toEqual([4, 5, ...times(7, 20)])
  expect(pages.older.current()).toBe('more')
})

test('a page that cannot be loaded says so and is loaded again on demand', async () => {
  let isDown = false
  const conversation = openConversation([], async ({ before = 10 }) => {
    if (isDown) throw new Error('no network')
    return { messages: [aMessage(before - 1)], before: before > 2 ? before - 1 : null, next: null }
  })
  const { pages, fetch, shown } = conversation
  await fetch()

  isDown = true
  await pages.loadOlder()
  expect(pages.older.current()).toBe('failed')
  await expect(pages.loadAll()).rejects.toThrow()
  isDown = false
  await pages.loadOlder()

  expect([shown(), pages.older.current()]).toEqual([[8, 9], 'more'])
})

test('a server whose pages do not lead on is not asked for ever', async () => {
  let asked = 0
  const { pages, fetch } = openConversation([], async ({ after }) => {
    asked += 1
    return { messages: [aMessage(50)], before: after === undefined ? 50 : null, next: after ?? null }
  })

  await fetch()
  await pages.loadAll()
  expect(pages.older.current()).toBe('none')
  await fetch()
  await pages.listAfter(10)

  expect(asked).toBeLessThan(8)
})

test('all messages after a time are listed, however many pages they fill', async () => {
  const { pages } = openConversation(times(1, 11))
  expect((await pages.listAfter(1)).map(({ createdAt }) => createdAt)).toEqual(times(2, 11))
})

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20))

test('CHT-04 messages that are announced while the list loads let it finish and are asked for afterwards', async () => {
  const { pages, news, held, asked, kept, fetch, shown } = openConversation(times(1, 10))
  await fetch()
  await pages.loadOlder()
  asked.length = 0
  const answers = Promise.withResolvers<void>()
  held.answers = answers.promise
  const fetching = fetch()

  for (const time of [11, 12, 13]) {
    kept.push(time)
    news.hearOfNew(`message ${time}`, time)
    await aMoment()
  }
  answers.resolve()
  await fetching
  await aMoment()

  expect(shown()).toEqual(times(3, 13))
  expect(asked).toEqual(['before Infinity', 'before 7', 'after 10'])
})

test('CHT-04 a list that is refreshed while it loads finishes, and asks for what is newer once', async () => {
  const { news, held, asked, kept, fetch, shown } = openConversation(times(1, 4))
  const answers = Promise.withResolvers<void>()
  held.answers = answers.promise
  const fetching = fetch()
  const refreshed = news.refresh()
  kept.push(5)

  answers.resolve()
  await Promise.all([fetching, refreshed])

  expect(shown()).toEqual(times(1, 5))
  expect(asked).toEqual(['before Infinity', 'after 4'])
})

test('CHT-04 a poll asks for the newest page alone, adds what is new and drops what was deleted', async () => {
  const { pages, news, asked, kept, fetch, shown } = openConversation(times(1, 12))
  await fetch()
  await pages.loadOlder()
  asked.length = 0
  kept.push(13)
  kept.splice(kept.indexOf(11), 1)

  await news.poll()

  expect(shown()).toEqual([...times(5, 10), 12, 13])
  expect(asked).toEqual(['before Infinity'])
})

test('CHT-04 a poll after more new messages than a page holds leaves no gap', async () => {
  const { news, kept, fetch, shown } = openConversation(times(1, 4))
  await fetch()
  kept.push(...times(5, 15))

  await news.poll()

  expect(shown()).toEqual(times(1, 15))
})

test('CHT-04 a poll while another one or a fetch is under way asks nothing', async () => {
  const { news, held, asked, fetch } = openConversation(times(1, 4))
  const answers = Promise.withResolvers<void>()
  held.answers = answers.promise
  const fetching = fetch()
  await news.poll()
  answers.resolve()
  await fetching
  const next = Promise.withResolvers<void>()
  held.answers = next.promise

  const polls = [news.poll(), news.poll()]
  next.resolve()
  await Promise.all(polls)

  expect(asked).toEqual(['before Infinity', 'before Infinity'])
})

test.each(['one message', 'all messages'])(
  '%s that are deleted while older ones load do not come back',
  async (what) => {
    const { pages, held, fetch, shown } = openConversation(times(1, 10))
    await fetch()
    const answers = Promise.withResolvers<void>()
    held.answers = answers.promise
    const loading = pages.loadOlder()

    if (what === 'all messages') pages.removeAll()
    else pages.remove('message 5')
    answers.resolve()
    await loading

    expect(shown()).toEqual(what === 'all messages' ? [] : [3, 4, ...times(6, 10)])
    expect(pages.older.current()).toBe(what === 'all messages' ? 'none' : 'more')
  },
)

test('a message that the server did not delete is put back and stays', async () => {
  const { pages, fetch, shown } = openConversation(times(1, 4))
  const listed = await fetch()
  pages.removeAll()

  pages.restore(listed)
  await fetch()

  expect(shown()).toEqual(times(1, 4))
})
