import type { Call } from '@sallyport/client/call'
import type { ListedFile } from '@sallyport/contract/files'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMessageSync } from '#/components/messages/message-sync.ts'
import type { AuthController } from '#/features/account/sign-in/auth-controller.ts'
import { messagesKey } from '#/features/chat/messages.queries.ts'
import { filesQuery } from '#/features/files/files.queries.ts'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { adminStatusQuery } from '#/lib/api/admin-status.ts'
import { until } from '#/testing/until.ts'
import type { Services } from '../services.ts'
import { createLiveUpdates } from './live-updates.ts'

const createFile = (id: string): ListedFile => ({
  id,
  originalName: 'ef1.sealed',
  size: 1,
  createdAt: 0,
  expiresAt: 1,
  encryptedFileKey: 'wrapped',
  downloads: 0,
  shared: false,
})

/** A page that shows these files, with a server that returns the result of `list`. */
function openPage({ listed, list }: { listed?: readonly ListedFile[]; list?: () => Promise<ListedFile[]> }) {
  const fetches = { userInfo: 0, adminStatus: 0 }
  const call = (async ({ path }: { path: string }) => {
    if (path === '/api/files') return { files: (await list?.()) ?? [] }
    if (path === '/api/admin/status') {
      fetches.adminStatus += 1
      return { is_admin: fetches.adminStatus > 1 }
    }
    fetches.userInfo += 1
    return { user: {} }
  }) as unknown as Call
  const queries = new QueryClient()
  const { queryKey } = filesQuery(call)
  if (listed) queries.setQueryData(queryKey, listed)
  const expired = { count: 0 }
  const authController = {
    expire: async () => {
      expired.count += 1
    },
  } as unknown as AuthController
  const chat = {
    sync: createMessageSync({
      queries,
      queryKey: messagesKey,
      pages: { add: () => {}, listAfter: async () => [], loadNewest: async () => {}, remove: () => {} },
    }),
  }
  const services = { api: { call }, queries, accounts: { authController } } as unknown as Services
  const updates = createLiveUpdates({ ...services, chat })
  onTestFinished(updates.stop)
  return {
    expired,
    showList() {
      onTestFinished(new QueryObserver(queries, filesQuery(call)).subscribe(() => undefined))
    },
    fetches,
    showUserInfo() {
      onTestFinished(new QueryObserver(queries, userInfoQuery(call)).subscribe(() => undefined))
    },
    showAdminStatus() {
      const options = { ...adminStatusQuery(call), staleTime: 10_000 }
      onTestFinished(new QueryObserver(queries, options).subscribe(() => undefined))
    },
    isAdmin: () => queries.getQueryData(adminStatusQuery(call).queryKey),
    countListChanges() {
      let count = 0
      const unsubscribe = queries.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryKey[0] === queryKey[0]) count += 1
      })
      onTestFinished(unsubscribe)
      return () => count
    },
    receive: updates.apply,
    isAnnounced: updates.isAnnounced,
    listed: () => queries.getQueryData(queryKey),
    ids: () => queries.getQueryData(queryKey)?.map(({ id }) => id),
  }
}

test('a file inserted or deleted elsewhere updates the list without a refetch (FIL-11)', async () => {
  const { receive, ids } = openPage({ listed: [createFile('old')] })

  receive({ type: 'file.inserted', file: createFile('new') })
  expect(ids()).toEqual(['new', 'old'])

  receive({ type: 'file.deleted', id: 'old' })
  await until(() => ids()?.length === 1)
  expect(ids()).toEqual(['new'])
})

test('a file whose lifetime or sharing changes elsewhere is updated and keeps its other fields', async () => {
  const { receive, listed } = openPage({ listed: [createFile('one'), createFile('two')] })

  receive({ type: 'file.changed', id: 'two', expiresAt: 99 })
  receive({ type: 'file.changed', id: 'two', shared: true })
  await until(() => listed()?.[1]?.shared === true)

  expect(listed()).toEqual([createFile('one'), { ...createFile('two'), expiresAt: 99, shared: true }])
})

test('a file that is announced twice is listed once', async () => {
  const { receive, ids } = openPage({ listed: [] })

  receive({ type: 'file.inserted', file: createFile('new') })
  receive({ type: 'file.inserted', file: createFile('new') })
  receive({ type: 'file.inserted', file: createFile('last') })
  await until(() => ids()?.[0] === 'last')

  expect(ids()).toEqual(['last', 'new'])
})

test('the events of 500 files within 500 ms change the list twice and fetch the used storage once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const page = openPage({ listed: [] })
  page.showUserInfo()
  await vi.advanceTimersByTimeAsync(0)
  const [listChanges, fetches] = [page.countListChanges(), page.fetches.userInfo]

  for (let index = 0; index < 500; index += 1) page.receive({ type: 'file.inserted', file: createFile(String(index)) })
  const announced = [page.isAnnounced('499'), page.isAnnounced('500')]
  await vi.advanceTimersByTimeAsync(1000)

  expect(announced).toEqual([true, false])
  expect(page.isAnnounced('499')).toBe(false)
  expect(page.ids()).toHaveLength(500)
  expect(listChanges()).toBe(2)
  expect(page.fetches.userInfo - fetches).toBe(1)
})

test('a response in flight while a file is inserted does not remove the file again', async () => {
  const responses = [[createFile('old')], [createFile('new'), createFile('old')]]
  let isBlocked = true
  const page = openPage({
    list: async () => {
      const response = responses.shift() ?? []
      await until(() => !isBlocked)
      return response
    },
  })
  page.showList()

  page.receive({ type: 'file.inserted', file: createFile('new') })
  isBlocked = false

  await until(() => page.ids() !== undefined)
  expect(page.ids()).toEqual(['new', 'old'])
})

test('revoking the auth session elsewhere ends it here', () => {
  const { receive, expired } = openPage({ listed: [] })

  receive({ type: 'account.revoked' })

  expect(expired.count).toBe(1)
})

test('SHL-05 the page asks again whether the user is an admin when that changes, not when it has just asked', async () => {
  const { receive, showAdminStatus, fetches, isAdmin } = openPage({ listed: [] })
  showAdminStatus()
  await until(() => isAdmin() === false)

  receive({ type: 'ready' })
  expect(fetches.adminStatus).toBe(1)
  receive({ type: 'admin.changed' })
  await until(() => isAdmin() === true)

  expect(fetches.adminStatus).toBe(2)
})
