import { expect } from 'vitest'
import { revokedTopic } from '../../live/announce.ts'
import { startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createSignInsStore } from './sign-ins.store.ts'

const second = 1000
const hour = 3600 * second
const day = 24 * hour

onBothDatabases('T070 a refresh token that was replaced twice ends the whole sign-in', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const revocations: unknown[] = []
  server.bus.subscribe(revokedTopic, (revocation) => revocations.push(revocation))
  const first = await server.refresh(member.refreshToken)
  const next = await server.refresh(first.json().refresh_token)
  stage.advance(10 * second + 1)

  const reused = await server.refresh(member.refreshToken)

  expect(reused.statusCode).toBe(400)
  expect(reused.json().code).toBe('refresh_token_already_used')
  expect(revocations).toMatchObject([{ userId: member.userId }])
  const warnings = server.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toMatchObject([{ event: 'refresh-token.reused', userId: member.userId }])
  expect(server.logged.join('')).not.toContain(member.refreshToken)
  const current = await server.refresh(next.json().refresh_token)
  expect(current.json().code).toBe('refresh_token_not_found')
  const asMember = await server.get('/api/user-info', { authorization: `Bearer ${next.json().access_token}` })
  expect(asMember.statusCode).toBe(401)
})

onBothDatabases('T070 the end of one sign-in leaves the others of the same account alone', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const { email, password } = member
  const elsewhere = await server.post('/api/login', { email, password })
  const first = await server.refresh(member.refreshToken)
  await server.refresh(first.json().refresh_token)
  stage.advance(11 * second)
  await server.refresh(member.refreshToken)

  const other = await server.refresh(elsewhere.json().session.refresh_token)

  expect(other.statusCode).toBe(200)
})

onBothDatabases('T071 two tabs that refresh within 10 s get the same token and both go on', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()

  const [left, right] = await Promise.all([server.refresh(member.refreshToken), server.refresh(member.refreshToken)])

  expect(left.statusCode).toBe(200)
  expect(right.statusCode).toBe(200)
  expect(right.json().refresh_token).toBe(left.json().refresh_token)
  const next = await server.refresh(left.json().refresh_token)
  expect(next.statusCode).toBe(200)
})

onBothDatabases('T071 ten refreshes by one token at the same moment make one new token', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  // Opens the connections beforehand, so that the refreshes really meet.
  await Promise.all(Array.from({ length: 10 }, () => stage.db.selectFrom('users').select('id').execute()))

  const answers = await Promise.all(Array.from({ length: 10 }, () => server.refresh(member.refreshToken)))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map((answer) => answer.json().refresh_token)).size).toBe(1)
  expect(await stage.db.selectFrom('refresh_tokens').select('token_hash').execute()).toHaveLength(2)
})

onBothDatabases('T071 a tab that is two tokens behind within 10 s is told the current one', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const first = await server.refresh(member.refreshToken)
  const latest = await server.refresh(first.json().refresh_token)
  stage.advance(9 * second)

  const late = await server.refresh(member.refreshToken)

  expect(late.statusCode).toBe(200)
  expect(late.json().refresh_token).toBe(latest.json().refresh_token)
})

onBothDatabases('T070 a copied refresh token cannot follow the rotation for longer than 60 s', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const { refresh_token, access_token } = (await server.refresh(member.refreshToken)).json()
  stage.advance(60 * second + 1)

  const copy = await server.refresh(member.refreshToken)
  const owner = await server.refresh(refresh_token)

  expect([copy.statusCode, copy.json().code]).toEqual([400, 'refresh_token_already_used'])
  expect([owner.statusCode, owner.json().code]).toEqual([400, 'refresh_token_not_found'])
  const asMember = await server.get('/api/user-info', { authorization: `Bearer ${access_token}` })
  expect(asMember.statusCode).toBe(401)
  const warnings = server.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toMatchObject([{ event: 'refresh-token.reused', userId: member.userId }])
})

onBothDatabases(
  'T070 once its child was used, a parent is answered for 10 s and ends the sign-in after',
  async (stage) => {
    const server = await startAccounts(stage)
    const member = await server.aMember()
    const child = (await server.refresh(member.refreshToken)).json().refresh_token
    await server.refresh(child)
    stage.advance(10 * second + 1)

    const copy = await server.refresh(member.refreshToken)

    expect([copy.statusCode, copy.json().code]).toEqual([400, 'refresh_token_already_used'])
  },
)

onBothDatabases('T071 an answer that got lost can be asked for again within 60 s', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const lost = await server.refresh(member.refreshToken)
  stage.advance(60 * second)

  const again = await server.refresh(member.refreshToken)

  expect(again.statusCode).toBe(200)
  expect(again.json().refresh_token).toBe(lost.json().refresh_token)
})

onBothDatabases('a refresh token nobody was given is refused', async (stage) => {
  const server = await startAccounts(stage)

  const refused = await server.refresh('made-up')

  expect(refused.statusCode).toBe(400)
  expect(refused.json().code).toBe('refresh_token_not_found')
})

onBothDatabases('ACC-11 T066 a short sign-in ends after three hours however often it is refreshed', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember({ policy: 'short' })
  stage.advance(2.5 * hour)
  const { refresh_token, access_token } = (await server.refresh(member.refreshToken)).json()
  const bearer = { authorization: `Bearer ${access_token}` }
  stage.advance(0.5 * hour - second)
  const justBefore = await server.get('/api/settings', bearer)

  stage.advance(second)
  const after = await server.get('/api/settings', bearer)
  const refreshed = await server.refresh(refresh_token)

  expect(justBefore.statusCode).toBe(200)
  expect(after.statusCode).toBe(401)
  expect(after.json().code).toBe('SESSION_EXPIRED')
  expect(refreshed.statusCode).toBe(400)
  expect(refreshed.json().code).toBe('session_expired')
})

onBothDatabases(
  'ACC-11 T066 a remembered sign-in slides seven days with each refresh, and ends after thirty',
  async (stage) => {
    const server = await startAccounts(stage)
    const member = await server.aMember({ policy: 'remember' })
    let token = member.refreshToken
    for (const _ of ['day 6', 'day 12', 'day 18', 'day 24']) {
      stage.advance(6 * day)
      const refreshed = await server.refresh(token)
      expect(refreshed.statusCode).toBe(200)
      token = refreshed.json().refresh_token
    }

    stage.advance(6 * day)
    const afterThirtyDays = await server.refresh(token)

    expect(afterThirtyDays.json().code).toBe('session_expired')
  },
)

onBothDatabases('ACC-11 a remembered sign-in that rests for seven days is over', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember({ policy: 'remember' })

  stage.advance(7 * day)
  const refreshed = await server.refresh(member.refreshToken)

  expect(refreshed.json().code).toBe('session_expired')
})

onBothDatabases('T064 signing out ends the access token and the refresh token at once', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  await server.get('/api/settings', member.bearer)

  const signedOut = await server.post('/auth/v1/logout?scope=local', {}, member.bearer)

  expect(signedOut.statusCode).toBe(204)
  expect(signedOut.body).toBe('')
  expect((await server.get('/api/settings', member.bearer)).statusCode).toBe(401)
  expect((await server.refresh(member.refreshToken)).json().code).toBe('refresh_token_not_found')
})

onBothDatabases('T064 signing out reaches only this sign-in, only the others, or all, as asked', async (stage) => {
  const server = await startAccounts(stage)
  const here = await server.aMember()
  const { email, password } = here
  const signInAgain = async () => {
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}` }
  }
  const there = await signInAgain()
  const stranger = await server.aMember()
  const statusOf = async (bearer: { authorization: string }) => (await server.get('/api/settings', bearer)).statusCode
  await Promise.all([here.bearer, there, stranger.bearer].map(statusOf))

  await server.post('/auth/v1/logout?scope=others', {}, here.bearer)
  const afterOthers = [await statusOf(here.bearer), await statusOf(there)]
  const back = await signInAgain()
  await server.post('/auth/v1/logout', {}, here.bearer)
  const afterGlobal = [await statusOf(here.bearer), await statusOf(back), await statusOf(stranger.bearer)]

  expect(afterOthers).toEqual([200, 401])
  expect(afterGlobal).toEqual([401, 401, 200])
})

onBothDatabases(
  'T065 a user who is deleted or kept out is refused at once, and cannot sign in again',
  async (stage) => {
    const server = await startAccounts(stage)
    const deleted = await server.aMember()
    const banned = await server.aMember()
    for (const { bearer } of [deleted, banned]) expect((await server.get('/api/settings', bearer)).statusCode).toBe(200)

    await server.provider.deleteUser(deleted.userId)
    await server.provider.setBan(banned.userId, stage.now() + day)

    for (const member of [deleted, banned]) {
      expect((await server.get('/api/settings', member.bearer)).statusCode).toBe(401)
      expect((await server.refresh(member.refreshToken)).statusCode).toBe(400)
    }
    const { email, password } = banned
    const whileBanned = await server.post('/api/login', { email, password })
    stage.advance(day)
    const afterwards = await server.post('/api/login', { email, password })
    expect(whileBanned.statusCode).toBe(403)
    expect(afterwards.statusCode).toBe(200)
  },
)

onBothDatabases('a sign-in that another node ended without a word is refused after five seconds', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  await server.get('/api/settings', member.bearer)
  await stage.db.deleteFrom('sign_ins').execute()
  stage.advance(5 * second - 1)
  const remembered = await server.get('/api/settings', member.bearer)

  stage.advance(1)
  const looked = await server.get('/api/settings', member.bearer)

  expect(remembered.statusCode).toBe(200)
  expect(looked.statusCode).toBe(401)
})

onBothDatabases(
  'sign-ins that are over are removed in batches, with their tokens, and live ones stay',
  async (stage) => {
    const server = await startAccounts(stage)
    for (const _ of ['one', 'two', 'three']) await server.aMember({ policy: 'short' })
    await server.aMember({ policy: 'remember' })
    const store = createSignInsStore(stage.db)
    stage.advance(3 * hour)

    const removed = [await store.removeEnded(stage.now(), 2), await store.removeEnded(stage.now(), 2)]

    expect(removed).toEqual([2, 1])
    expect(await stage.db.selectFrom('sign_ins').select('policy').execute()).toEqual([{ policy: 'remember' }])
    expect(await stage.db.selectFrom('refresh_tokens').select('token_hash').execute()).toHaveLength(1)
  },
)
