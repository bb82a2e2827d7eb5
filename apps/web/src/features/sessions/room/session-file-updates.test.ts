import type { SessionFile } from '@sallyport/contract/session-shapes'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { filesKey } from '../session.queries.ts'
import { createSessionFileUpdates } from './session-file-updates.ts'

const sessionId = 's1'
const fileOf = (id: string) => ({ id }) as SessionFile

/** A shown list whose requests get these responses in order, each once `release` has been called for it. */
function showList(responses: readonly (readonly string[])[]) {
  const queries = new QueryClient()
  const requests: PromiseWithResolvers<void>[] = []
  const queryKey = filesKey(sessionId)
  const queryFn = async () => {
    const ids = responses[requests.length] ?? []
    const request = Promise.withResolvers<void>()
    requests.push(request)
    await request.promise
    return ids.map(fileOf)
  }
  onTestFinished(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined))
  const updates = createSessionFileUpdates(queries, sessionId)
  onTestFinished(updates.stop)
  return {
    updates,
    requests,
    release: () => requests.at(-1)?.resolve(),
    ids: () => queries.getQueryData<readonly SessionFile[]>(queryKey)?.map(({ id }) => id),
  }
}

test('SES-10 a file that is inserted during the first request of the list is not missing afterwards', async () => {
  const { updates, requests, release, ids } = showList([['old'], ['new', 'old']])
  await until(() => requests.length === 1)

  updates.onInserted(fileOf('new'))
  await until(() => requests.length === 2)
  release()

  await until(() => ids() !== undefined)
  expect(ids()).toEqual(['new', 'old'])
})

test('SES-10 many inserted files are listed without a request, and a deleted one is removed', async () => {
  const { updates, requests, release, ids } = showList([['old']])
  await until(() => requests.length === 1)
  release()
  await until(() => ids() !== undefined)

  for (const id of ['a', 'b', 'c']) updates.onInserted(fileOf(id))
  updates.onDeleted('old')
  updates.onUploaded(['a', 'b', 'c'])

  await until(() => ids()?.length === 3)
  expect(ids()).toEqual(['c', 'b', 'a'])
  expect(requests).toHaveLength(1)
})

test('SES-10 an event from before a reconnect does not restore a file that the new list lacks', async () => {
  const { updates, requests, release, ids } = showList([['old'], ['old']])
  await until(() => requests.length === 1)
  release()
  await until(() => ids() !== undefined)
  updates.onInserted(fileOf('first'))
  updates.onInserted(fileOf('deleted meanwhile'))

  updates.refetch()
  await until(() => requests.length === 2)
  release()

  await until(() => ids()?.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(ids()).toEqual(['old'])
})
