import { randomUUID } from 'node:crypto'
import { signInHistoryLimits } from '@sallyport/contract/auth-sessions'
import { authSessionLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { type AccountServer, startAccountServer } from '../../../testing/servers/account-server.ts'
import { createSignInHistoryStore } from '../../auth/sign-ins/sign-in-history.store.ts'

const path = '/api/account/sign-ins'

onBothDatabases('the list contains the auth sessions of the account and marks the current one', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  await server.createMember()
  stage.advance(60_000)
  const phone = await signInAgain(server, mine, { policy: 'remember', userAgent: 'A telephone' })

  const { signIns } = (await server.get(path, mine.bearer)).json()

  expect(signIns).toEqual([
    {
      id: phone.id,
      current: false,
      userAgent: 'A telephone',
      remembered: true,
      createdAt: stage.now(),
      lastUsedAt: stage.now(),
      endsAt: stage.now() + authSessionLimits.rememberedMs,
    },
    expect.objectContaining({ current: true, remembered: false, createdAt: stage.now() - 60_000 }),
  ])
})

onBothDatabases(
  'T064 an auth session ended from another device answers 401 at once; others are not affected',
  async (stage) => {
    const server = await startAccountServer(stage)
    const mine = await server.createMember()
    const [lost, remaining] = [await signInAgain(server, mine), await signInAgain(server, mine)]
    await server.get(path, lost.bearer)

    const ended = await server.remove(`${path}/${lost.id}`, mine.bearer)

    expect(ended.json()).toEqual({ success: true })
    const answers = await Promise.all([lost, remaining].map(({ bearer }) => server.get(path, bearer)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 200])
    const again = await server.remove(`${path}/${lost.id}`, mine.bearer)
    expect([again.statusCode, again.json().code]).toEqual([404, 'SIGN_IN_NOT_FOUND'])
  },
)

onBothDatabases('T064 ending all other auth sessions leaves the current one', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  const others = [await signInAgain(server, mine), await signInAgain(server, mine)]

  const ended = await server.remove(path, mine.bearer)

  expect(ended.json()).toEqual({ success: true, ended: 2 })
  for (const { bearer } of others) expect((await server.get(path, bearer)).statusCode).toBe(401)
  expect((await server.get(path, mine.bearer)).json().signIns).toHaveLength(1)
})

onBothDatabases('ending an auth session of another account answers SIGN_IN_NOT_FOUND', async (stage) => {
  const server = await startAccountServer(stage)
  const [mine, theirs] = [await server.createMember(), await server.createMember()]
  const { id } = await signInAgain(server, theirs)

  const refused = await server.remove(`${path}/${id}`, mine.bearer)

  expect([refused.statusCode, refused.json().code]).toEqual([404, 'SIGN_IN_NOT_FOUND'])
  expect((await server.get(path, theirs.bearer)).json().signIns).toHaveLength(2)
})

onBothDatabases('the sign-in history lists ended sign-ins too, of this account only, for 90 days', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  await server.createMember()
  stage.advance(60_000)
  const phone = await signInAgain(server, mine, { policy: 'remember', userAgent: 'A telephone' })
  await server.remove(`${path}/${phone.id}`, mine.bearer)

  const { signIns } = (await server.get('/api/account/sign-in-history', mine.bearer)).json()

  expect(signIns).toEqual([
    { id: phone.id, userAgent: 'A telephone', signedInAt: stage.now() },
    expect.objectContaining({ signedInAt: stage.now() - 60_000 }),
  ])
  stage.advance(signInHistoryLimits.retentionMs)
  const later = await signInAgain(server, mine)
  const listed = (await server.get('/api/account/sign-in-history', later.bearer)).json().signIns
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([later.id, phone.id])
  const rows = () => stage.db.selectFrom('sign_in_history').select('id').execute()
  const rowsBefore = (await rows()).length
  await createSignInHistoryStore(stage.db).removeExpired(stage.now() - signInHistoryLimits.retentionMs, 1)
  expect(await rows()).toHaveLength(rowsBefore - 1)
  await createSignInHistoryStore(stage.db).removeExpired(stage.now() - signInHistoryLimits.retentionMs, 100)
  expect((await rows()).map(({ id }) => id).sort()).toEqual([phone.id, later.id].sort())
})

onBothDatabases('the sign-in history has the 50 latest sign-ins, and is deleted with the account', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  const { user_id: userId } = await stage.db.selectFrom('sign_in_history').select('user_id').executeTakeFirstOrThrow()
  const earlier = Array.from({ length: 60 }, (_, index) => ({
    id: randomUUID(),
    user_id: userId,
    signed_in_at: stage.now() - 1000 - index,
    user_agent: null,
  }))
  await stage.db.insertInto('sign_in_history').values(earlier).execute()
  stage.advance(1000)

  const latest = await signInAgain(server, mine)

  const { signIns } = (await server.get('/api/account/sign-in-history', mine.bearer)).json()
  expect([signIns.length, signIns[0].id]).toEqual([50, latest.id])
  expect(await stage.db.selectFrom('sign_in_history').select('id').execute()).toHaveLength(50)
  await stage.db.deleteFrom('users').where('id', '=', userId).execute()
  expect(await stage.db.selectFrom('sign_in_history').select('id').execute()).toEqual([])
})

type Member = Awaited<ReturnType<AccountServer['createMember']>>

async function signInAgain(
  server: AccountServer,
  { email, password }: Member,
  { policy = 'short', userAgent = '' } = {},
) {
  const headers = { 'x-session-policy': policy, 'user-agent': userAgent }
  const { session } = (await server.post('/api/login', { email, password }, headers)).json()
  const claims = JSON.parse(Buffer.from(session.access_token.split('.')[1], 'base64url').toString())
  return { id: claims.session_id as string, bearer: { authorization: `Bearer ${session.access_token}` } }
}
