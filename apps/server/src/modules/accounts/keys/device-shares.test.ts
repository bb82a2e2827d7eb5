import { authSessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { type Member, randomWrappedKey, startServerWithKeys } from '../../../testing/clients/account-keys.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { waitUntil } from '../../../testing/servers/file-server.ts'

const path = '/api/device-unlock'

onBothDatabases('each remembered auth session has its own share and always gets the same one', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage, { policy: 'remember' })
  const other = await signInAgain(mine, 'remember')

  const created = (await server.post(path, {}, mine.bearer)).json()

  expect(created).toMatchObject({ success: true, share: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
  expect((await server.get(path, mine.bearer)).json()).toEqual(created)
  const missing = await server.get(path, other)
  expect([missing.statusCode, missing.json().code]).toEqual([404, 'DEVICE_NOT_REMEMBERED'])
})

onBothDatabases('an auth session that is not remembered gets no share', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)

  const refused = await server.post(path, {}, mine.bearer)

  expect([refused.statusCode, refused.json().code]).toEqual([403, 'FORBIDDEN'])
  expect(await countShares(stage)).toBe(0)
})

onBothDatabases('T064 the share is deleted with its auth session, however the session ends', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage, { policy: 'remember' })
  const endings = [
    (bearer: Bearer) => server.post('/auth/v1/logout?scope=local', {}, bearer),
    (_: Bearer) => server.remove('/api/account/sign-ins', mine.bearer),
    (_: Bearer) => server.provider.endAuthSessions(mine.userId),
  ]

  for (const end of endings) {
    const bearer = await signInAgain(mine, 'remember')
    await server.post(path, {}, bearer)
    expect(await countShares(stage)).toBe(1)
    await end(bearer)
    await waitUntil(async () => (await countShares(stage)) === 0)
  }
})

onBothDatabases('T057 committing a key deletes all shares of the account and no others', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage, { policy: 'remember' })
  const other = await signInAgain(mine, 'remember')
  const theirs = await server.createMember({ policy: 'remember' })
  for (const bearer of [mine.bearer, other, theirs.bearer]) await server.post(path, {}, bearer)

  await server.post('/api/account/keys/staged', randomWrappedKey(), mine.bearer)
  await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  const answers = await Promise.all([mine.bearer, other, theirs.bearer].map((bearer) => server.get(path, bearer)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 200])
})

onBothDatabases('forgetting a device deletes its share', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage, { policy: 'remember' })
  await server.post(path, {}, mine.bearer)

  expect((await server.remove(path, mine.bearer)).json()).toEqual({ success: true })

  expect((await server.get(path, mine.bearer)).statusCode).toBe(404)
})

onBothDatabases(
  'a share is deleted after the maximum lifetime of an auth session, even without a revocation',
  async (stage) => {
    const { server, mine } = await startServerWithKeys(stage, { policy: 'remember' })
    await server.post(path, {}, mine.bearer)
    stage.advance(authSessionLimits.absoluteMs - 1)
    await server.deleteOldShares()
    expect(await countShares(stage)).toBe(1)

    stage.advance(1)
    await server.deleteOldShares()

    expect(await countShares(stage)).toBe(0)
  },
)

type Bearer = { readonly authorization: string }

async function signInAgain({ server, email, password }: Member, policy: string): Promise<Bearer> {
  const answer = await server.post('/api/login', { email, password }, { 'x-session-policy': policy })
  return { authorization: `Bearer ${answer.json().session.access_token}` }
}

const countShares = async ({ db }: Stage) =>
  (await db.selectFrom('device_shares').select('sign_in_id').execute()).length
