import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../db/open.ts'
import { aFolder } from '../../testing/folder.ts'
import { useRedis } from '../../testing/redis-server.ts'
import { until } from '../../testing/storing-server.ts'
import { startTwoNodes } from '../../testing/two-nodes.ts'
import type { WholeServer } from '../../testing/whole-server.ts'

const redis = useRedis()

async function post<Answer>({ url }: WholeServer, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Answer
}

interface Refreshed {
  readonly refresh_token: string
  readonly access_token: string
  readonly error_code?: string
}

const refresh = (node: WholeServer, refresh_token: string) =>
  post<Refreshed>(node, '/auth/v1/token?grant_type=refresh_token', { refresh_token })

test('T070 tabs on two nodes refresh by one token, and a later copy of it ends the sign-in on both', async () => {
  const databaseUrl = await (await fetch(`${inject('databaseDesk')}/postgres`)).text()
  const [one, other] = await startTwoNodes(redis.url, { DATABASE_URL: databaseUrl, DATA_DIR: aFolder() })
  const account = await one.aMember()
  const { session } = await post<{ session: Refreshed }>(one, '/api/login', account)
  const parent = session.refresh_token

  const [tab, otherTab] = await Promise.all([refresh(one, parent), refresh(other, parent)])
  const next = await refresh(other, tab.refresh_token)
  const overlapping = await refresh(one, parent)
  const database = await openDatabase({ databaseUrl, folder: aFolder(), onError: () => undefined })
  onTestFinished(database.close)
  await database.db
    .updateTable('refresh_tokens')
    .set((row) => ({ revoked_at: row('revoked_at', '-', 11_000) }))
    .execute()
  const copied = await refresh(one, parent)

  expect(otherTab.refresh_token).toBe(tab.refresh_token)
  expect(overlapping.refresh_token).toBe(next.refresh_token)
  expect(copied.error_code).toBe('refresh_token_already_used')
  const headers = { authorization: `Bearer ${next.access_token}` }
  await until(async () => (await fetch(`${other.url}/api/settings`, { headers })).status === 401)
})
