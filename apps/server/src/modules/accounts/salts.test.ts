import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'

onBothDatabases('prelogin answers known and unknown addresses alike and deterministically', async (stage) => {
  const server = await startAccountServer(stage)
  const member = await server.createMember()
  const ask = async (email: string) => (await server.post('/api/auth/prelogin', { email })).json()

  const known = await ask(member.email)
  const unknown = await ask(randomEmail())

  expect(known).toEqual({ success: true, salt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/), profiles: [2] })
  expect(unknown).toEqual({ success: true, salt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/), profiles: [2] })
  expect(unknown.salt).not.toBe(known.salt)
  expect(await ask(` ${member.email.toUpperCase()}`)).toEqual(known)
})

onBothDatabases('prelogin returns the same salt before and after registration', async (stage) => {
  const server = await startAccountServer(stage)
  const email = randomEmail()
  const before = (await server.post('/api/auth/prelogin', { email })).json()

  await server.post('/api/register', { email, password: randomCredential() })

  expect((await server.post('/api/auth/prelogin', { email })).json()).toEqual(before)
})

onBothDatabases(
  'the salt of an account survives a change of the server secret; the salt of an unknown address does not',
  async (stage) => {
    const server = await startAccountServer(stage)
    const registered = randomEmail()
    const signedIn = randomEmail()
    const unseen = randomEmail()
    const password = randomCredential()
    await server.post('/api/register', { email: registered, password })
    await server.post('/auth/v1/signup', { email: signedIn, password })
    await server.post('/api/login', { email: signedIn, password })
    const saltsBy = (from: typeof server) =>
      Promise.all(
        [registered, signedIn, unseen].map(
          async (email) => (await from.post('/api/auth/prelogin', { email })).json().salt as string,
        ),
      )
    const before = await saltsBy(server)
    rmSync(join(stage.folder, 'secrets', 'salt.key'))

    const after = await saltsBy(await startAccountServer(stage))

    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(after[2]).not.toBe(before[2])
  },
)

onBothDatabases('prelogin lists the earlier and the current profile until the account has upgraded', async (stage) => {
  const server = await startAccountServer(stage)
  const email = randomEmail()
  const profiles = async () => (await server.post('/api/auth/prelogin', { email })).json().profiles
  const [earlier, current] = [randomCredential(1), randomCredential(2)]
  await server.post('/api/register', { email, password: earlier })
  const { session } = (await server.post('/api/login', { email, password: earlier })).json()
  const before = await profiles()

  const user = await server.provider.findUser(session.user.id)
  await server.provider.updateUser(user?.id ?? '', { credential: current })
  await server.post('/api/login', { email, password: current })

  expect(before).toEqual([1, 2])
  expect(await profiles()).toEqual([2])
})

onBothDatabases(
  'unknown addresses show an earlier profile as often as accounts do, and deterministically',
  async (stage) => {
    const server = await startAccountServer(stage)
    const strangers = Array.from({ length: 40 }, randomEmail)
    const ask = async (email: string) => (await server.post('/api/auth/prelogin', { email })).json()
    const earlierAmong = async (emails: readonly string[]) => {
      const answers = []
      for (const email of emails) answers.push((await ask(email)).profiles.length === 2)
      return answers.filter(Boolean).length
    }
    const none = await earlierAmong(strangers)
    for (const profile of [1, 2])
      await server.post('/api/register', { email: randomEmail(), password: randomCredential(profile) })
    stage.advance(60_000)

    const half = await earlierAmong(strangers)
    const [before, again] = [await ask(strangers[0] ?? ''), await ask(strangers[0] ?? '')]

    expect(none).toBe(0)
    // The expected value is 20 of 40; the chance of a value outside these bounds is below one in a million.
    expect(half).toBeGreaterThan(4)
    expect(half).toBeLessThan(36)
    expect(again).toEqual(before)
  },
)

onBothDatabases(
  'an address that an account no longer uses has a new salt, also for the next account that registers it',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password, userId } = await server.createMember()
    const saltOf = async (address: string) => (await server.post('/api/auth/prelogin', { email: address })).json().salt
    const salt = await saltOf(email)
    const next = randomEmail()
    await server.provider.updateUser(userId, { email: next })

    const released = await saltOf(email)
    const rows = await stage.db.selectFrom('account_salts').select('identifier').execute()
    await server.post('/api/register', { email, password: randomCredential() })

    expect(await saltOf(next)).toBe(salt)
    expect((await server.post('/api/login', { email: next, password })).statusCode).toBe(200)
    expect(released).not.toBe(salt)
    expect(await saltOf(email)).toBe(released)
    expect(rows).toEqual([{ identifier: next }])
    expect(JSON.stringify(await stage.db.selectFrom('released_salts').selectAll().execute())).not.toContain(email)
  },
)

onBothDatabases(
  'prelogin accepts a phone number instead of an email address and rejects anything else',
  async (stage) => {
    const { post } = await startAccountServer(stage)
    const codeOf = async (body: object) => (await post('/api/auth/prelogin', body)).json().code

    const written = await post('/api/auth/prelogin', { phone: '+49 170 1234567' })
    const plain = await post('/api/auth/prelogin', { phone: '491701234567' })

    expect(written.json()).toEqual(plain.json())
    expect(await codeOf({})).toBe('EMAIL_OR_PHONE_REQUIRED')
    expect(await codeOf({ phone: 'abc' })).toBe('EMAIL_OR_PHONE_REQUIRED')
    expect(await codeOf({ email: 'nobody' })).toBe('EMAIL_INVALID')
  },
)

onBothDatabases('prelogin allows 300 requests per address block and then answers RATE_LIMITED', async (stage) => {
  const { app } = await startAccountServer(stage)
  const ask = () => app.inject({ method: 'POST', url: '/api/auth/prelogin', payload: {}, remoteAddress: '192.0.2.1' })
  for (let attempt = 0; attempt < 300; attempt += 1) await ask()

  const next = await ask()

  expect([next.statusCode, next.json().code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(next.headers['retry-after'])).toBe(300)
})

onBothDatabases('T045 prelogin runs the same queries for known and unknown addresses', async (stage) => {
  const queries: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      queries.push(JSON.stringify(node, (key, value) => (key === 'value' ? null : value)))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const server = await startAccountServer({ ...stage, db: stage.db.withPlugin(recorder) })
  const member = await server.createMember()
  const queriesOf = async (email: string) => {
    queries.length = 0
    await server.post('/api/auth/prelogin', { email })
    return [...queries]
  }
  await queriesOf(randomEmail())

  const known = await queriesOf(member.email)

  expect(known.length).toBeGreaterThan(1)
  expect(await queriesOf(randomEmail())).toEqual(known)
})
