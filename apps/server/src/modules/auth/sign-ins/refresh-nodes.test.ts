import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../platform/db/open.ts'
import { useRedis } from '../../../testing/engines/redis-server.ts'
import { waitUntil } from '../../../testing/servers/file-server.ts'
import { startTwoNodes } from '../../../testing/servers/two-nodes.ts'
import type { WholeServer } from '../../../testing/servers/whole-server.ts'
import { createTestFolder } from '../../../testing/test-folder.ts'

const redis = useRedis()

async function post<Body>({ url }: WholeServer, path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Body
}

interface Refreshed {
  readonly refresh_token: string
  readonly access_token: string
  readonly error_code?: string
}

const refresh = (node: WholeServer, refresh_token: string) =>
  post<Refreshed>(node, '/auth/v1/token?grant_type=refresh_token', { refresh_token })

test('T070 tabs on two nodes refresh with one token, and a later reuse of it ends the auth session on both', async () => {
  const databaseUrl = await (await fetch(`${inject('databaseServer')}/postgres`)).text()
  const [one, other] = await startTwoNodes(redis.url, { DATABASE_URL: databaseUrl, DATA_DIR: createTestFolder() })
  const account = await one.createMember()
  const { session } = await post<{ session: Refreshed }>(one, '/api/login', account)
  const parent = session.refresh_token

  const [tab, otherTab] = await Promise.all([refresh(one, parent), refresh(other, parent)])
  const next = await refresh(other, tab.refresh_token)
  const overlapping = await refresh(one, parent)
  const database = await openDatabase({ databaseUrl, folder: createTestFolder(), onError: () => undefined })
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
  await waitUntil(async () => (await fetch(`${other.url}/api/settings`, { headers })).status === 401)
})
