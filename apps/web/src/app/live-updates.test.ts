import type { Call } from '@sallyport/client/call'
import type { ListedFile } from '@sallyport/contract/files'
import type { LiveEvent } from '@sallyport/contract/live'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import type { Gate } from '#/accounts/entrance.ts'
import { messagesKey } from '#/chat/messages.queries.ts'
import { filesQuery } from '#/files/files.queries.ts'
import { createMessageNews } from '#/messages/message-news.ts'
import { until } from '#/testing/until.ts'
import { applyLiveEvent } from './live-updates.ts'
import type { Services } from './services.ts'

const aFile = (id: string): ListedFile => ({
  id,
  originalName: 'ef1.sealed',
  size: 1,
  createdAt: 0,
  expiresAt: 1,
  encryptedFileKey: 'wrapped',
  downloads: 0,
  shared: false,
})

/** A page that has listed these files, in front of a server that answers whatever `list` says. */
function openPage({ listed, list }: { listed?: readonly ListedFile[]; list?: () => Promise<ListedFile[]> }) {
  const call = (async ({ path }: { path: string }) =>
    path === '/api/files' ? { files: (await list?.()) ?? [] } : { user: {} }) as unknown as Call
  const queries = new QueryClient()
  const { queryKey } = filesQuery(call)
  if (listed) queries.setQueryData(queryKey, listed)
  const expired = { count: 0 }
  const gate = {
    expire: async () => {
      expired.count += 1
    },
  } as unknown as Gate
  const chat = {
    news: createMessageNews({
      queries,
      queryKey: messagesKey,
      pages: { listAfter: async () => [], loadNewest: async () => {}, remove: () => {} },
    }),
  }
  const services = { api: { call }, queries, accounts: { gate } } as unknown as Services
  return {
    expired,
    showList() {
      onTestFinished(new QueryObserver(queries, filesQuery(call)).subscribe(() => undefined))
    },
    hear: (event: LiveEvent) => applyLiveEvent(event, { ...services, chat }),
    listed: () => queries.getQueryData(queryKey),
    ids: () => queries.getQueryData(queryKey)?.map(({ id }) => id),
  }
}

test('a file that comes or goes elsewhere does so here, without asking for the list again (FIL-11)', () => {
  const { hear, ids } = openPage({ listed: [aFile('old')] })

  hear({ type: 'file.inserted', file: aFile('new') })
  expect(ids()).toEqual(['new', 'old'])

  hear({ type: 'file.deleted', id: 'old' })
  expect(ids()).toEqual(['new'])
})

test('a file that is given another lifetime or shared elsewhere says so here, and keeps the rest', () => {
  const { hear, listed } = openPage({ listed: [aFile('one'), aFile('two')] })

  hear({ type: 'file.changed', id: 'two', expiresAt: 99 })
  hear({ type: 'file.changed', id: 'two', shared: true })

  expect(listed()).toEqual([aFile('one'), { ...aFile('two'), expiresAt: 99, shared: true }])
})

test('a file that is heard of twice is listed once', () => {
  const { hear, ids } = openPage({ listed: [] })

  hear({ type: 'file.inserted', file: aFile('new') })
  hear({ type: 'file.inserted', file: aFile('new') })

  expect(ids()).toEqual(['new'])
})

test('an answer that was on its way when a file came does not make it vanish again', async () => {
  const answers = [[aFile('old')], [aFile('new'), aFile('old')]]
  let isHeld = true
  const page = openPage({
    list: async () => {
      const answer = answers.shift() ?? []
      await until(() => !isHeld)
      return answer
    },
  })
  page.showList()

  page.hear({ type: 'file.inserted', file: aFile('new') })
  isHeld = false

  await until(() => page.ids() !== undefined)
  expect(page.ids()).toEqual(['new', 'old'])
})

test('a sign-in that is revoked elsewhere ends here', () => {
  const { hear, expired } = openPage({ listed: [] })

  hear({ type: 'account.revoked' })

  expect(expired.count).toBe(1)
})
