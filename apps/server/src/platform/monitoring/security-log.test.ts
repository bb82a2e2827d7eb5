import { expect } from 'vitest'
import { onAnyDatabase } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'

interface LogLine {
  readonly event?: string
  readonly userId?: string | null
  readonly address?: string
  readonly level: number
}

const eventsIn = (logged: readonly string[]): LogLine[] =>
  logged.map((line) => JSON.parse(line) as LogLine).filter(({ event }) => event !== undefined)

const visitor = { 'x-forwarded-for': '203.0.113.7' }

onAnyDatabase('the log has registrations, failed sign-ins, changed passwords and deletions', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, userId, password, accessToken, bearer } = await server.createMember()
  const next = randomCredential()

  await server.post('/api/login', { email, password: randomCredential() }, visitor)
  await server.post('/api/login', { email: randomEmail(), password: randomCredential() }, visitor)
  await server.put('/auth/v1/user', { password: next, current_password: password }, bearer)
  await server.emails()
  await server.remove('/api/account', bearer)

  const events = eventsIn(server.logged)
  expect(events.map(({ event, userId: id }) => [event, id])).toEqual([
    ['account.registered', userId],
    ['sign-in.failed', userId],
    ['sign-in.failed', null],
    ['password.changed', userId],
    ['account.deleted', userId],
  ])
  expect(events.map(({ level }) => level)).toEqual([30, 40, 40, 30, 30])
  for (const secret of [email, password, next, accessToken, '203.0.113'])
    expect(server.logged.join('')).not.toContain(secret)
})

onAnyDatabase('a lock-out is logged, and LOG_ADDRESSES adds the IP address of the visitor', async (stage) => {
  const server = await startAccountServer(stage, { environment: { LOG_ADDRESSES: 'on' } })
  const { email, userId } = await server.createMember()
  let status = 0

  for (let attempt = 0; attempt < 200 && status !== 429; attempt += 1) {
    status = (await server.post('/api/login', { email, password: randomCredential() }, visitor)).statusCode
  }

  await server.emails()

  expect(status).toBe(429)
  const events = eventsIn(server.logged)
  expect(events.at(-2)).toMatchObject({ event: 'sign-in.failed', userId, address: '203.0.113.7' })
  expect(events.at(-1)).toMatchObject({ event: 'sign-in.locked', userId, address: '203.0.113.7', level: 40 })
})

onAnyDatabase('the first admin and bans are logged', async (stage) => {
  const email = randomEmail()
  const server = await startAccountServer(stage, { adminEmails: [email] })
  const password = randomCredential()
  await server.post('/api/register', { email, password })
  const { user } = (await server.post('/api/login', { email, password })).json()
  await server.post('/api/login', { email, password })
  await server.provider.setBan(user.id, stage.now() + 60_000)
  await server.provider.setBan(user.id, null)

  expect(eventsIn(server.logged).map(({ event }) => event)).toEqual([
    'account.registered',
    'admin.added',
    'account.banned',
    'account.unbanned',
  ])
})
