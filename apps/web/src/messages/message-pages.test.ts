import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ListedMessage } from './listed-message.ts'
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
  const load: LoadPage<ListedMessage> = async (cursor) => {
    const { before = Number.POSITIVE_INFINITY, after } = cursor
    asked.push(after === undefined ? `before ${before}` : `after ${after}`)
    if (after !== undefined) {
      const newer = kept.filter((time) => time > after)
      const page = newer.slice(0, 4)
      return { messages: page.map(aMessage), before: null, next: newer.length > 4 ? (page.at(-1) ?? null) : null }
    }
    const older = kept.filter((time) => time < before)
    const page = older.slice(-4)
    return { messages: page.map(aMessage), before: older.length > 4 ? (page[0] ?? null) : null, next: null }
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryKey = ['messages']
  const pages = createMessagePages({ queries, queryKey, load: answer ?? load })
  return {
    pages,
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
