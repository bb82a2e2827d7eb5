import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

const hour = 3_600_000
const day = 24 * hour
const gigabyte = 1024 ** 3
const offerTerms = { type: 'nonprofit', storageBytes: 50 * gigabyte, days: 30, seats: 10, uses: 1 } as const
const invalidResponse = { success: false, code: 'INVITATION_INVALID', error: 'Invalid or expired invitation link' }

onBothDatabases('ORG-07 T061 an invitation can be viewed repeatedly and then claimed', async (stage) => {
  const server = await startAccountServer(stage)
  const magicToken = await server.offers.createLink(offerTerms, null)
  const email = randomEmail()
  const password = randomCredential()

  for (let attempt = 0; attempt < 3; attempt += 1) {
    const shown = await server.get(`/api/validate-magic-link/${magicToken}`)
    expect(shown.json()).toEqual({ success: true, type: 'nonprofit', storage_gb: 50, seats: 10, days: 30 })
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
})

onBothDatabases('ORG-07 a link that is unknown, used up or 30 days old answers INVITATION_INVALID', async (stage) => {
  const server = await startAccountServer(stage)
  const used = await server.offers.createLink(offerTerms, null)
  await server.post('/api/register-with-magic-link', {
    email: randomEmail(),
    password: randomCredential(),
    magicToken: used,
  })
  const old = await server.offers.createLink(offerTerms, null)
  stage.advance(30 * day)

  for (const magicToken of ['a-link-nobody-made', used, old]) {
    const lookup = await server.get(`/api/validate-magic-link/${magicToken}`)
    const claimAttempt = await server.post('/api/register-with-magic-link', {
      email: randomEmail(),
      password: randomCredential(),
      magicToken,
    })
    for (const refused of [lookup, claimAttempt])
      expect([refused.statusCode, refused.json()]).toEqual([404, invalidResponse])
  }
  const fresh = await server.offers.createLink(offerTerms, null)
  const statuses = []
  for (const token of ['a-link-nobody-made', used, old, fresh])
    statuses.push((await server.post('/api/emailed-link-status', { token })).json().status)
  expect(statuses).toEqual(['expired', 'used', 'expired', 'unused'])
  expect(await stage.db.selectFrom('users').select('id').execute()).toHaveLength(1)
})

onBothDatabases('ORG-07 ACC-21 a signed-in account claims an invitation or a licence key, once', async (stage) => {
  const server = await startAccountServer(stage)
  const ann = await server.createMember()
  const magicToken = await server.offers.createLink({ ...offerTerms, days: 30 }, null)
  const licenseKey = await server.offers.createKey({ ...offerTerms, type: 'vip', days: null })
  const claim = (body: object) => server.post('/api/claim-license', body, ann.bearer)
  const licenceOf = async () => (await server.get('/api/user-info', ann.bearer)).json().user

  const byKey = await claim({ licenseKey: licenseKey.toLowerCase() })
  const first = await licenceOf()
  const claimed = await claim({ magicToken })
  stage.advance(hour)
  const again = await claim({ magicToken })

  expect([claimed.statusCode, claimed.json().license_type]).toEqual([200, 'nonprofit'])
  expect(first).toMatchObject({ license_type: 'vip', license_expires_at: null })
  expect([again.statusCode, again.json().code]).toEqual([404, 'INVITATION_INVALID'])
  expect(byKey.json().license_type).toBe('vip')
  expect(await licenceOf()).toMatchObject({
    license_type: 'nonprofit',
    license_expires_at: stage.now() - hour + 30 * day,
  })
  const other = await server.createMember()
  for (const [body, code] of [
    [{ licenseKey }, 'LICENSE_KEY_USED'],
    [{ licenseKey: 'SP-00000-00000-00000-00000' }, 'LICENSE_KEY_INVALID'],
    [{}, 'LICENSE_KEY_INVALID'],
  ] as const)
    expect((await server.post('/api/claim-license', body, other.bearer)).json().code).toBe(code)
  expect((await server.post('/api/claim-license', { magicToken })).statusCode).toBe(401)
})

onBothDatabases('T226 20 concurrent claims of one invitation create 1 account', async (stage) => {
  const server = await startAccountServer(stage)
  const magicToken = await server.offers.createLink(offerTerms, null)
  const registrations = Array.from({ length: 20 }, () => ({
    email: randomEmail(),
    password: randomCredential(),
    magicToken,
  }))

  const answers = await Promise.all(
    registrations.map((registration) => server.post('/api/register-with-magic-link', registration)),
  )

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(19)
  expect(await stage.db.selectFrom('users').select('id').execute()).toHaveLength(1)
})

onBothDatabases(
  'ORG-07 an invitation verifies the address it was sent to; other addresses need a verification email',
  async (stage) => {
    const server = await startAccountServer(stage, { confirmEmails: true })
    const email = randomEmail()
    const other = randomEmail()
    const password = randomCredential()
    const magicToken = await server.offers.createLink({ ...offerTerms, uses: 2 }, email)

    const proven = await server.post('/api/register-with-magic-link', { email, password, magicToken })
    const unproven = await server.post('/api/register-with-magic-link', { email: other, password, magicToken })

    expect(proven.json().message).toBe('Your account is ready. You can sign in now.')
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
    expect(unproven.json().message).toContain('check your email')
    expect((await server.post('/api/login', { email: other, password })).json().code).toBe('EMAIL_NOT_VERIFIED')
    expect((await server.emails()).map(({ to }) => to?.[0]?.address)).toEqual([other])
  },
)

onBothDatabases('ORG-07 an invitation takes over an unconfirmed account but not a confirmed one', async (stage) => {
  const server = await startAccountServer(stage, { confirmEmails: true })
  const email = randomEmail()
  const squatter = randomCredential()
  const password = randomCredential()
  await server.post('/api/register', { email, password: squatter })
  const magicToken = await server.offers.createLink(offerTerms, email)
  const again = await server.offers.createLink(offerTerms, email)

  await server.post('/api/register-with-magic-link', { email, password, magicToken })
  await server.post('/api/register-with-magic-link', { email, password: squatter, magicToken: again })

  expect((await server.post('/api/login', { email, password })).statusCode).toBe(200)
  expect((await server.post('/api/login', { email, password: squatter })).statusCode).toBe(401)
  expect((await server.get(`/api/validate-magic-link/${again}`)).statusCode).toBe(200)
})

onBothDatabases('invitation lookups answer RATE_LIMITED after 60 misses from one address', async (stage) => {
  const server = await startAccountServer(stage)
  const magicToken = await server.offers.createLink(offerTerms, null)
  const lookUp = (token: string, remoteAddress: string) =>
    server.app.inject({ url: `/api/validate-magic-link/${token}`, remoteAddress })
  for (let guess = 0; guess < 60; guess += 1) await lookUp(`guess-number-${guess}-of-many`, '192.0.2.1')

  const refused = await lookUp(magicToken, '192.0.2.1')
  const elsewhere = await lookUp(magicToken, '198.51.100.7')

  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED'])
  expect(elsewhere.statusCode).toBe(200)
})

onBothDatabases('the database does not contain the invitation token', async (stage) => {
  const server = await startAccountServer(stage)

  const magicToken = await server.offers.createLink(offerTerms, null)

  expect(Buffer.from(magicToken, 'base64url')).toHaveLength(32)
  expect(JSON.stringify(await stage.db.selectFrom('licence_offers').selectAll().execute())).not.toContain(magicToken)
})
