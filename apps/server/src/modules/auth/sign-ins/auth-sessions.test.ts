import { expect } from 'vitest'
import { revokedTopic } from '../../../platform/events/publish.ts'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import { startAccountServer } from '../../../testing/servers/account-server.ts'
import { createAuthSessionsStore } from './auth-sessions.store.ts'

const second = 1000
const hour = 3600 * second
const day = 24 * hour

onAnyDatabase('T070 reusing a refresh token that was rotated twice ends the whole session', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
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

onAnyDatabase('T070 ending one session does not affect the others of the account', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  const { email, password } = member
  const elsewhere = await server.post('/api/login', { email, password })
  const first = await server.refresh(member.refreshToken)
  await server.refresh(first.json().refresh_token)
  stage.advance(11 * second)
  await server.refresh(member.refreshToken)

  const other = await server.refresh(elsewhere.json().session.refresh_token)

  expect(other.statusCode).toBe(200)
})

onAnyDatabase('T071 two tabs that refresh within 10 s get the same token, and both continue', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()

  const [left, right] = await Promise.all([server.refresh(member.refreshToken), server.refresh(member.refreshToken)])

  expect(left.statusCode).toBe(200)
  expect(right.statusCode).toBe(200)
  expect(right.json().refresh_token).toBe(left.json().refresh_token)
  const next = await server.refresh(left.json().refresh_token)
  expect(next.statusCode).toBe(200)
})

onAnyDatabase('T071 10 concurrent refreshes with one token create one new token', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  // Opens the connections beforehand, so that the refreshes really are concurrent.
  await Promise.all(Array.from({ length: 10 }, () => stage.db.selectFrom('users').select('id').execute()))

  const responses = await Promise.all(Array.from({ length: 10 }, () => server.refresh(member.refreshToken)))

  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200))
  expect(new Set(responses.map((response) => response.json().refresh_token)).size).toBe(1)
  expect(await stage.db.selectFrom('refresh_tokens').select('token_hash').execute()).toHaveLength(2)
})

onAnyDatabase('T071 a tab that is two tokens behind gets the current one within 10 s', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  const first = await server.refresh(member.refreshToken)
  const latest = await server.refresh(first.json().refresh_token)
  stage.advance(9 * second)

  const late = await server.refresh(member.refreshToken)

  expect(late.statusCode).toBe(200)
  expect(late.json().refresh_token).toBe(latest.json().refresh_token)
})

onAnyDatabase(
  'T070 a copied refresh token ends the session when used more than 60 s after the rotation',
  async (stage) => {
    const server = await startAccountServer(stage)
    const member = await server.createMember()
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
  },
)

onAnyDatabase(
  'T070 once its successor is used, a token is accepted for 10 s and ends the session after that',
  async (stage) => {
    const server = await startAccountServer(stage)
    const member = await server.createMember()
    const child = (await server.refresh(member.refreshToken)).json().refresh_token
    await server.refresh(child)
    stage.advance(10 * second + 1)

    const copy = await server.refresh(member.refreshToken)

    expect([copy.statusCode, copy.json().code]).toEqual([400, 'refresh_token_already_used'])
  },
)

onAnyDatabase('T071 a refresh can be retried for 60 s after a lost response', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  const lost = await server.refresh(member.refreshToken)
  stage.advance(60 * second)

  const again = await server.refresh(member.refreshToken)

  expect(again.statusCode).toBe(200)
  expect(again.json().refresh_token).toBe(lost.json().refresh_token)
})

onAnyDatabase('an unknown refresh token is rejected', async (stage) => {
  const server = await startAccountServer(stage)

  const refused = await server.refresh('made-up')

  expect(refused.statusCode).toBe(400)
  expect(refused.json().code).toBe('refresh_token_not_found')
})

onAnyDatabase('ACC-11 T066 a short session ends after 3 hours, however often it is refreshed', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember({ policy: 'short' })
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

onAnyDatabase(
  'ACC-11 T066 a remembered session is extended to 7 days by each refresh, and ends after 30 days',
  async (stage) => {
    const server = await startAccountServer(stage)
    const member = await server.createMember({ policy: 'remember' })
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

onAnyDatabase('ACC-11 a remembered session ends after 7 days without a refresh', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember({ policy: 'remember' })

  stage.advance(7 * day)
  const refreshed = await server.refresh(member.refreshToken)

  expect(refreshed.json().code).toBe('session_expired')
})

onAnyDatabase('T064 signing out invalidates the access token and the refresh token at once', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  await server.get('/api/settings', member.bearer)

  const signedOut = await server.post('/auth/v1/logout?scope=local', {}, member.bearer)

  expect(signedOut.statusCode).toBe(204)
  expect(signedOut.body).toBe('')
  expect((await server.get('/api/settings', member.bearer)).statusCode).toBe(401)
  expect((await server.refresh(member.refreshToken)).json().code).toBe('refresh_token_not_found')
})

onAnyDatabase('T064 signing out ends this session, the others or all, depending on the scope', async (stage) => {
  const server = await startAccountServer(stage)
  const here = await server.createMember()
  const { email, password } = here
  const signInAgain = async () => {
    const { session } = (await server.post('/api/login', { email, password })).json()
    return { authorization: `Bearer ${session.access_token}` }
  }
  const there = await signInAgain()
  const stranger = await server.createMember()
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

onAnyDatabase('T065 a deleted or banned user is rejected at once and cannot sign in again', async (stage) => {
  const server = await startAccountServer(stage)
  const deleted = await server.createMember()
  const banned = await server.createMember()
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
})

onAnyDatabase('a session that another node ended without a revocation is rejected after 5 s', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  await server.get('/api/settings', member.bearer)
  await stage.db.deleteFrom('sign_ins').execute()
  stage.advance(5 * second - 1)
  const cached = await server.get('/api/settings', member.bearer)

  stage.advance(1)
  const expired = await server.get('/api/settings', member.bearer)

  expect(cached.statusCode).toBe(200)
  expect(expired.statusCode).toBe(401)
})

onAnyDatabase('ended sessions are removed in batches with their tokens, and live ones remain', async (stage) => {
  const server = await startAccountServer(stage)
  for (const _ of ['one', 'two', 'three']) await server.createMember({ policy: 'short' })
  await server.createMember({ policy: 'remember' })
  const store = createAuthSessionsStore(stage.db)
  stage.advance(3 * hour)

  const removed = [await store.removeEnded(stage.now(), 2), await store.removeEnded(stage.now(), 2)]

  expect(removed).toEqual([2, 1])
  expect(await stage.db.selectFrom('sign_ins').select('policy').execute()).toEqual([{ policy: 'remember' }])
  expect(await stage.db.selectFrom('refresh_tokens').select('token_hash').execute()).toHaveLength(1)
})
