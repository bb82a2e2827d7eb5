import { signInLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { aWrappedKey, type Member, startKeys } from '../testing/account-keys.ts'
import { onBothDatabases, type Stage } from '../testing/databases.ts'
import { until } from '../testing/storing-server.ts'

const path = '/api/device-unlock'

onBothDatabases('a remembered sign-in gets a share of its own, and the same one whenever it asks', async (stage) => {
  const { server, mine } = await startKeys(stage, { policy: 'remember' })
  const other = await signInAgain(mine, 'remember')

  const made = (await server.post(path, {}, mine.bearer)).json()

  expect(made).toMatchObject({ success: true, share: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
  expect((await server.get(path, mine.bearer)).json()).toEqual(made)
  const missing = await server.get(path, other)
  expect([missing.statusCode, missing.json().code]).toEqual([404, 'DEVICE_NOT_REMEMBERED'])
})

onBothDatabases('a sign-in that nobody asked to remember gets no share', async (stage) => {
  const { server, mine } = await startKeys(stage)

  const refused = await server.post(path, {}, mine.bearer)

  expect([refused.statusCode, refused.json().code]).toEqual([403, 'FORBIDDEN'])
  expect(await sharesIn(stage)).toBe(0)
})

onBothDatabases('T064 the share goes with its sign-in, whoever ends it', async (stage) => {
  const { server, mine } = await startKeys(stage, { policy: 'remember' })
  const endings = [
    (bearer: Bearer) => server.post('/auth/v1/logout?scope=local', {}, bearer),
    (_: Bearer) => server.remove('/api/account/sign-ins', mine.bearer),
    (_: Bearer) => server.provider.endSignIns(mine.userId),
  ]

  for (const end of endings) {
    const bearer = await signInAgain(mine, 'remember')
    await server.post(path, {}, bearer)
    expect(await sharesIn(stage)).toBe(1)
    await end(bearer)
    await until(async () => (await sharesIn(stage)) === 0)
  }
})

onBothDatabases('T057 a key that is taken into use ends every share of the account, and no other', async (stage) => {
  const { server, mine } = await startKeys(stage, { policy: 'remember' })
  const other = await signInAgain(mine, 'remember')
  const theirs = await server.aMember({ policy: 'remember' })
  for (const bearer of [mine.bearer, other, theirs.bearer]) await server.post(path, {}, bearer)

  await server.post('/api/account/keys/staged', aWrappedKey(), mine.bearer)
  await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  const answers = await Promise.all([mine.bearer, other, theirs.bearer].map((bearer) => server.get(path, bearer)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 200])
})

onBothDatabases('a device that is forgotten has no share any more', async (stage) => {
  const { server, mine } = await startKeys(stage, { policy: 'remember' })
  await server.post(path, {}, mine.bearer)

  expect((await server.remove(path, mine.bearer)).json()).toEqual({ success: true })

  expect((await server.get(path, mine.bearer)).statusCode).toBe(404)
})

onBothDatabases('a share outlives no sign-in, even where nobody told of its end', async (stage) => {
  const { server, mine } = await startKeys(stage, { policy: 'remember' })
  await server.post(path, {}, mine.bearer)
  stage.advance(signInLimits.absoluteMs - 1)
  await server.forgetOldShares()
  expect(await sharesIn(stage)).toBe(1)

  stage.advance(1)
  await server.forgetOldShares()

  expect(await sharesIn(stage)).toBe(0)
})

type Bearer = { readonly authorization: string }

async function signInAgain({ server, email, password }: Member, policy: string): Promise<Bearer> {
  const answer = await server.post('/api/login', { email, password }, { 'x-session-policy': policy })
  return { authorization: `Bearer ${answer.json().session.access_token}` }
}

const sharesIn = async ({ db }: Stage) => (await db.selectFrom('device_shares').select('sign_in_id').execute()).length
