import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

onBothDatabases('prelogin answers known and unknown addresses alike, and each always the same', async (stage) => {
  const server = await startAccounts(stage)
  const member = await server.aMember()
  const ask = async (email: string) => (await server.post('/api/auth/prelogin', { email })).json()

  const known = await ask(member.email)
  const unknown = await ask(anEmail())

  expect(known).toEqual({ success: true, salt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/), profiles: [2] })
  expect(unknown).toEqual({ success: true, salt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/), profiles: [2] })
  expect(unknown.salt).not.toBe(known.salt)
  expect(await ask(` ${member.email.toUpperCase()}`)).toEqual(known)
})

onBothDatabases('the salt an address registers with is the one it signs in with', async (stage) => {
  const server = await startAccounts(stage)
  const email = anEmail()
  const before = (await server.post('/api/auth/prelogin', { email })).json()

  await server.post('/api/register', { email, password: aCredential() })

  expect((await server.post('/api/auth/prelogin', { email })).json()).toEqual(before)
})

onBothDatabases(
  'the salt of an account outlives the secret it was made with; that of an unseen address does not',
  async (stage) => {
    const server = await startAccounts(stage)
    const registered = anEmail()
    const signedIn = anEmail()
    const unseen = anEmail()
    const password = aCredential()
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

    const after = await saltsBy(await startAccounts(stage))

    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(after[2]).not.toBe(before[2])
  },
)

onBothDatabases(
  'an account that uses an earlier profile is named the current one beside it until it has moved',
  async (stage) => {
    const server = await startAccounts(stage)
    const email = anEmail()
    const profiles = async () => (await server.post('/api/auth/prelogin', { email })).json().profiles
    const [earlier, current] = [aCredential(1), aCredential(2)]
    await server.post('/api/register', { email, password: earlier })
    const { session } = (await server.post('/api/login', { email, password: earlier })).json()
    const before = await profiles()

    const user = await server.provider.findUser(session.user.id)
    await server.provider.updateUser(user?.id ?? '', { credential: current })
    await server.post('/api/login', { email, password: current })

    expect(before).toEqual([1, 2])
    expect(await profiles()).toEqual([2])
  },
)

onBothDatabases('prelogin takes a number in place of an address, and refuses what is neither', async (stage) => {
  const { post } = await startAccounts(stage)
  const codeOf = async (body: object) => (await post('/api/auth/prelogin', body)).json().code

  const written = await post('/api/auth/prelogin', { phone: '+49 170 1234567' })
  const plain = await post('/api/auth/prelogin', { phone: '491701234567' })

  expect(written.json()).toEqual(plain.json())
  expect(await codeOf({})).toBe('EMAIL_OR_PHONE_REQUIRED')
  expect(await codeOf({ phone: 'abc' })).toBe('EMAIL_OR_PHONE_REQUIRED')
  expect(await codeOf({ email: 'nobody' })).toBe('EMAIL_INVALID')
})

onBothDatabases('prelogin runs out for an address block that asks too often', async (stage) => {
  const { app } = await startAccounts(stage)
  const ask = () => app.inject({ method: 'POST', url: '/api/auth/prelogin', payload: {}, remoteAddress: '192.0.2.1' })
  for (let attempt = 0; attempt < 300; attempt += 1) await ask()

  const next = await ask()

  expect([next.statusCode, next.json().code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(next.headers['retry-after'])).toBe(300)
})
