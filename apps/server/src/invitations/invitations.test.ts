import { expect } from 'vitest'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3
const invited = { type: 'nonprofit', storageBytes: 50 * gigabyte, days: 30, seats: 10, uses: 1 } as const
const invalid = { success: false, code: 'INVITATION_INVALID', error: 'Invalid or expired invitation link' }

onBothDatabases(
  'ORG-07 T061 an invitation says what it gives, as often as it is asked, and then gives it',
  async (stage) => {
    const server = await startAccounts(stage)
    const magicToken = await server.offers.makeLink(invited, null)
    const email = anEmail()
    const password = aCredential()

    for (let look = 0; look < 3; look += 1) {
      const shown = await server.get(`/api/validate-magic-link/${magicToken}`)
      expect(shown.json()).toEqual({ success: true, type: 'nonprofit', storage_gb: 50, seats: 10 })
      await server.app.inject({ method: 'HEAD', url: `/api/validate-magic-link/${magicToken}` })
    }
    const claimed = await server.post('/api/register-with-magic-link', { email, password, magicToken })
    const { session } = (await server.post('/api/login', { email, password })).json()
    const { user } = (await server.get('/api/user-info', { authorization: `Bearer ${session.access_token}` })).json()

    expect(claimed.json()).toEqual({
      success: true,
      user: { id: user.id, email },
      message: 'Your account is ready. You can sign in now.',
    })
    expect(user).toMatchObject({ license_type: 'nonprofit', license_expires_at: stage.now() + 30 * day })
  },
)

onBothDatabases(
  'ORG-07 a link that is wrong, used up or older than seven days is refused in one sentence',
  async (stage) => {
    const server = await startAccounts(stage)
    const used = await server.offers.makeLink(invited, null)
    await server.post('/api/register-with-magic-link', { email: anEmail(), password: aCredential(), magicToken: used })
    const old = await server.offers.makeLink(invited, null)
    stage.advance(7 * day)

    for (const magicToken of ['a-link-nobody-made', used, old]) {
      const look = await server.get(`/api/validate-magic-link/${magicToken}`)
      const claim = await server.post('/api/register-with-magic-link', {
        email: anEmail(),
        password: aCredential(),
        magicToken,
      })
      for (const refused of [look, claim]) expect([refused.statusCode, refused.json()]).toEqual([404, invalid])
    }
    expect(await stage.db.selectFrom('users').select('id').execute()).toHaveLength(1)
  },
)

onBothDatabases('T226 twenty who claim one invitation at once make one account', async (stage) => {
  const server = await startAccounts(stage)
  const magicToken = await server.offers.makeLink(invited, null)
  const crowd = Array.from({ length: 20 }, () => ({ email: anEmail(), password: aCredential(), magicToken }))

  const answers = await Promise.all(crowd.map((person) => server.post('/api/register-with-magic-link', person)))

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(19)
  expect(await stage.db.selectFrom('users').select('id').execute()).toHaveLength(1)
})

onBothDatabases(
  'ORG-07 the address an invitation was mailed to is proven by it; any other is confirmed by mail',
  async (stage) => {
    const server = await startAccounts(stage, { confirmAddresses: true })
    const email = anEmail()
    const other = anEmail()
    const password = aCredential()
    const magicToken = await server.offers.makeLink({ ...invited, uses: 2 }, email)

    const proven = await server.post('/api/register-with-magic-link', { email, password, magicToken })
    const unproven = await server.post('/api/register-with-magic-link', { email: other, password, magicToken })

    expect(proven.json().message).toBe('Your account is ready. You can sign in now.')
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
    expect(unproven.json().message).toContain('check your email')
    expect((await server.post('/api/login', { email: other, password })).json().code).toBe('EMAIL_NOT_VERIFIED')
    expect((await server.letters()).map(({ to }) => to?.[0]?.address)).toEqual([other])
  },
)

onBothDatabases(
  'ORG-07 an invitation takes over an account that nobody has confirmed, and leaves a confirmed one alone',
  async (stage) => {
    const server = await startAccounts(stage, { confirmAddresses: true })
    const email = anEmail()
    const squatter = aCredential()
    const password = aCredential()
    await server.post('/api/register', { email, password: squatter })
    const magicToken = await server.offers.makeLink(invited, email)
    const again = await server.offers.makeLink(invited, email)

    await server.post('/api/register-with-magic-link', { email, password, magicToken })
    await server.post('/api/register-with-magic-link', { email, password: squatter, magicToken: again })

    expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
    expect((await server.post('/api/login', { email, password: squatter })).statusCode).toBe(401)
    expect((await server.get(`/api/validate-magic-link/${again}`)).statusCode).toBe(200)
  },
)

onBothDatabases('guesses at invitations from one address run out', async (stage) => {
  const server = await startAccounts(stage)
  const magicToken = await server.offers.makeLink(invited, null)
  const look = (token: string, remoteAddress: string) =>
    server.app.inject({ url: `/api/validate-magic-link/${token}`, remoteAddress })
  for (let guess = 0; guess < 60; guess += 1) await look(`guess-number-${guess}-of-many`, '192.0.2.1')

  const refused = await look(magicToken, '192.0.2.1')
  const elsewhere = await look(magicToken, '198.51.100.7')

  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED'])
  expect(elsewhere.statusCode).toBe(200)
})

onBothDatabases('what opens an invitation is not in the database', async (stage) => {
  const server = await startAccounts(stage)

  const magicToken = await server.offers.makeLink(invited, null)

  expect(Buffer.from(magicToken, 'base64url')).toHaveLength(32)
  expect(JSON.stringify(await stage.db.selectFrom('licence_offers').selectAll().execute())).not.toContain(magicToken)
})
