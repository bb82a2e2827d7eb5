import { AuthClient } from '@supabase/auth-js'
import { expect } from 'vitest'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const passwordGrant = '/auth/v1/token?grant_type=password'

onAnyDatabase(
  'ACC-09 the published client signs up, signs in, refreshes, reads its user and signs out',
  async (stage) => {
    const { app } = await startAccountServer(stage)
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const client = new AuthClient({ url, autoRefreshToken: false, persistSession: false, detectSessionInUrl: false })
    const email = randomEmail()
    const password = randomCredential()

    const signedUp = await client.signUp({ email, password, options: { data: { organization_name: 'Harbour' } } })
    const signedIn = await client.signInWithPassword({ email, password })
    const refreshed = await client.refreshSession()
    const read = await client.getUser()
    const claims = await client.getClaims()
    const signedOut = await client.signOut({ scope: 'local' })
    const afterwards = await client.getUser(refreshed.data.session?.access_token)

    expect(signedUp.error).toBeNull()
    expect(signedUp.data.user).toMatchObject({ email, role: 'authenticated', identities: [{ provider: 'email' }] })
    expect(signedUp.data.user?.user_metadata).toEqual({ organization_name: 'Harbour', email_verified: true })
    expect(signedIn.error).toBeNull()
    expect(refreshed.error).toBeNull()
    expect(refreshed.data.session?.refresh_token).not.toBe(signedIn.data.session?.refresh_token)
    expect(read.data.user?.id).toBe(signedUp.data.user?.id)
    expect(claims.data?.claims).toMatchObject({ email, aal: 'aal1', aud: 'authenticated', role: 'authenticated' })
    expect(signedOut.error).toBeNull()
    expect(afterwards.error?.name).toBe('AuthSessionMissingError')
    await app.close()
  },
)

onAnyDatabase('ACC-09 the published client receives error codes and messages', async (stage) => {
  const { app } = await startAccountServer(stage)
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
  const client = new AuthClient({ url, autoRefreshToken: false, persistSession: false, detectSessionInUrl: false })
  const email = randomEmail()
  const password = randomCredential()
  await client.signUp({ email, password })

  const wrong = await client.signInWithPassword({ email, password: randomCredential() })
  const again = await client.signUp({ email, password })
  const raw = await client.signInWithPassword({ email, password: 'correct horse battery staple' })
  const anonymous = await client.signInAnonymously()
  const stale = await client.refreshSession({ refresh_token: 'made-up' })

  expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' })
  expect(again.error).toMatchObject({ status: 422, code: 'user_already_exists' })
  expect(raw.error).toMatchObject({ status: 400, code: 'derived_secret_required' })
  expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' })
  expect(stale.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  await app.close()
})

onAnyDatabase('T045 an unknown address and a wrong secret get the same response', async (stage) => {
  const server = await startAccountServer(stage)
  const { email } = await server.createMember()
  const responseOf = ({ statusCode, body, headers }: Awaited<ReturnType<typeof server.post>>) => {
    const { date: _, 'x-request-id': __, ...same } = headers
    return { statusCode, body, headers: same }
  }

  for (const url of [passwordGrant, '/api/login']) {
    const known = await server.post(url, { email, password: randomCredential() })
    const unknown = await server.post(url, { email: randomEmail(), password: randomCredential() })
    expect(responseOf(unknown)).toEqual(responseOf(known))
  }
})

onAnyDatabase('T043 a typed password is rejected wherever a derived login secret is expected', async (stage) => {
  const server = await startAccountServer(stage)
  const { email } = await server.createMember()

  for (const password of ['correct horse battery staple', `Zk2.${'A'.repeat(42)}`, `Zk2.${'A'.repeat(44)}`, 'ef1a.x']) {
    for (const url of [passwordGrant, '/auth/v1/signup']) {
      const refused = await server.post(url, { email, password }, apiVersionHeader)
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'derived_secret_required'])
    }
    for (const url of ['/api/login', '/api/register']) {
      const refused = await server.post(url, { email, password })
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'DERIVED_SECRET_REQUIRED'])
    }
  }
})

onAnyDatabase(
  'ACC-16 T055 third-party clients may send passwords of 6 to 72 bytes where the server is not strict',
  async (stage) => {
    const server = await startAccountServer(stage, { strict: false })
    const signUp = (password: string) =>
      server.post('/auth/v1/signup', { email: randomEmail(), password }, apiVersionHeader)

    const short = await signUp('12345')
    const six = await signUp('123456')
    const longest = await signUp('a'.repeat(72))
    const tooLong = await signUp('a'.repeat(73))
    const none = await signUp('')
    const ours = await server.post('/api/register', { email: randomEmail(), password: '12345' })

    expect([short.statusCode, short.json().code]).toEqual([422, 'weak_password'])
    expect(short.json().weak_password).toEqual({ reasons: ['length'] })
    expect(six.statusCode).toBe(200)
    expect(longest.statusCode).toBe(200)
    expect([tooLong.statusCode, tooLong.json().message]).toEqual([400, 'Password cannot be longer than 72 characters'])
    expect([none.statusCode, none.json().message]).toEqual([400, 'Signup requires a valid password'])
    expect([ours.statusCode, ours.json().error]).toEqual([400, 'Password must be at least 6 characters'])
  },
)

onAnyDatabase('ACC-03 a phone number works in place of an email address', async (stage) => {
  const server = await startAccountServer(stage)
  const password = randomCredential()
  await server.post('/auth/v1/signup', { phone: '+49 170 1234567', password })

  const signedIn = await server.post(passwordGrant, { phone: '491701234567', password })
  const wrong = await server.post(
    passwordGrant,
    { phone: '+491701234567', password: randomCredential() },
    apiVersionHeader,
  )

  expect(signedIn.json().user).toMatchObject({ phone: '491701234567', email: '', identities: [{ provider: 'phone' }] })
  expect(wrong.json().code).toBe('invalid_credentials')
})

onAnyDatabase(
  'errors have the dated format for clients that announce it, and the older one for all others',
  async (stage) => {
    const server = await startAccountServer(stage)
    const attempt = { email: randomEmail(), password: randomCredential() }

    const dated = await server.post(passwordGrant, attempt, apiVersionHeader)
    const older = await server.post(passwordGrant, attempt, { 'x-supabase-api-version': '2023-12-31' })
    const plain = await server.post(passwordGrant, attempt)

    expect(dated.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    expect(dated.headers).toMatchObject({ ...apiVersionHeader, 'x-sb-error-code': 'invalid_credentials' })
    for (const response of [older, plain]) {
      expect(response.json()).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(response.headers['x-supabase-api-version']).toBeUndefined()
      expect(response.headers['x-sb-error-code']).toBe('invalid_credentials')
    }
  },
)

onAnyDatabase('invalid requests get the error codes of the protocol', async (stage) => {
  const { app, post, get } = await startAccountServer(stage)
  const json = { 'content-type': 'application/json', ...apiVersionHeader }
  const signUp = (payload: string) => app.inject({ method: 'POST', url: '/auth/v1/signup', headers: json, payload })
  const codeOf = (response: { statusCode: number; json(): { code: string } }) => [
    response.statusCode,
    response.json().code,
  ]

  expect(codeOf(await signUp('{'))).toEqual([400, 'bad_json'])
  expect(codeOf(await signUp(''))).toEqual([400, 'validation_failed'])
  expect(codeOf(await signUp('{"__proto__":{"email":"x"}}'))).toEqual([400, 'bad_json'])
  expect(codeOf(await signUp('{"email":5}'))).toEqual([400, 'validation_failed'])
  expect(codeOf(await signUp('{}'))).toEqual([422, 'anonymous_provider_disabled'])
  const credential = randomCredential()
  const invalidEmail = await post(
    '/auth/v1/signup',
    { email: 'not an address', password: credential },
    apiVersionHeader,
  )
  expect(codeOf(invalidEmail)).toEqual([400, 'validation_failed'])
  const oversized = { email: randomEmail(), password: credential, data: { text: 'a'.repeat(5000) } }
  expect(codeOf(await post('/auth/v1/signup', oversized, apiVersionHeader))).toEqual([400, 'validation_failed'])
  expect(codeOf(await post(passwordGrant, { password: credential }, apiVersionHeader))).toEqual([
    400,
    'validation_failed',
  ])
  const grant = await post('/auth/v1/token?grant_type=barter', {}, apiVersionHeader)
  expect([...codeOf(grant), grant.json().message]).toEqual([400, 'invalid_credentials', 'unsupported_grant_type'])
  const empty = await post('/auth/v1/token?grant_type=refresh_token', {}, apiVersionHeader)
  expect(codeOf(empty)).toEqual([400, 'validation_failed'])
  expect(codeOf(await get('/auth/v1/user', apiVersionHeader))).toEqual([401, 'no_authorization'])
  const forged = { ...apiVersionHeader, authorization: 'Bearer a.b.c' }
  expect(codeOf(await get('/auth/v1/user', forged))).toEqual([403, 'bad_jwt'])
  expect(codeOf(await post('/auth/v1/logout', {}, forged))).toEqual([403, 'bad_jwt'])
})

onAnyDatabase(
  'T072 a refresh token is rejected as an access token, and an access token as a refresh token',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { accessToken, refreshToken } = await server.createMember()
    const ticket = Buffer.alloc(32, 7).toString('base64url')

    for (const token of [refreshToken, ticket]) {
      const asBearer = await server.get('/api/user-info', { authorization: `Bearer ${token}` })
      expect([asBearer.statusCode, asBearer.json().code]).toEqual([401, 'SESSION_EXPIRED'])
    }
    expect((await server.refresh(accessToken)).json().code).toBe('refresh_token_not_found')
  },
)

onAnyDatabase('T081 a token in the URL is neither accepted nor logged', async (stage) => {
  const server = await startAccountServer(stage)
  const { accessToken } = await server.createMember()

  const refused = await server.get(`/api/user-info?access_token=${accessToken}&authorization=Bearer%20${accessToken}`)

  expect([refused.statusCode, refused.json().code]).toEqual([401, 'NO_TOKEN'])
  expect(server.logged.filter((line) => line.includes('"route":"/api/user-info"'))).toHaveLength(1)
  expect(server.logged.join('')).not.toContain(accessToken)
})

onAnyDatabase(
  'T049 after 10 wrong secrets the 11th attempt gets 429 with Retry-After, and another address signs in',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { email, password } = await server.createMember()
    const tryFrom = (remoteAddress: string, secret: string, url = '/api/login') =>
      server.app.inject({ method: 'POST', url, remoteAddress, payload: { email, password: secret } })
    for (let failure = 0; failure < 10; failure += 1) await tryFrom('192.0.2.1', randomCredential())

    const eleventh = await tryFrom('192.0.2.1', password)
    const byProtocol = await tryFrom('192.0.2.1', password, passwordGrant)
    const elsewhere = await tryFrom('198.51.100.7', password)

    expect([eleventh.statusCode, eleventh.json().code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(eleventh.headers['retry-after'])).toBe(900)
    expect([byProtocol.statusCode, byProtocol.json().error_code]).toEqual([429, 'over_request_rate_limit'])
    expect(Number(byProtocol.headers['retry-after'])).toBe(900)
    expect(elsewhere.statusCode).toBe(200)
  },
)

onAnyDatabase('T049 signing in with the right secret does not count as an attempt', async (stage) => {
  const server = await startAccountServer(stage)
  const { email, password } = await server.createMember()
  for (let failure = 0; failure < 9; failure += 1)
    await server.post('/api/login', { email, password: randomCredential() })

  const responses = [
    await server.post('/api/login', { email, password }),
    await server.post('/api/login', { email, password }),
    await server.post(passwordGrant, { email, password }),
  ]

  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
})

onAnyDatabase(
  'T051 T052 changing the IP address within a block, or claiming another one, gains no attempts',
  async (stage) => {
    const server = await startAccountServer(stage)
    const email = randomEmail()
    const tryFrom = (remoteAddress: string, claimed?: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/login',
        remoteAddress,
        headers: claimed === undefined ? {} : { 'x-forwarded-for': claimed },
        payload: { email, password: randomCredential() },
      })
    const attempts = [
      () => tryFrom('2001:db8:1:2::1'),
      () => tryFrom('2001:DB8:1:2:ffff::9'),
      () => tryFrom('2001:0db8:0001:0002:1:2:3:4'),
      () => tryFrom('2001:db8:1:2::5', '203.0.113.1'),
      () => tryFrom('127.0.0.1', '2001:db8:1:2::6'),
    ]
    for (const attempt of [...attempts, ...attempts]) expect((await attempt()).statusCode).toBe(401)

    const eleventh = await tryFrom('2001:db8:1:2:a::b', '203.0.113.77')
    const otherBlock = await tryFrom('2001:db8:1:3::1')

    expect(eleventh.statusCode).toBe(429)
    expect(otherBlock.statusCode).toBe(401)
  },
)

onAnyDatabase('T044 the database contains no usable secret', async (stage) => {
  const server = await startAccountServer(stage)
  const { password, accessToken, refreshToken } = await server.createMember()
  const refreshed = await server.refresh(refreshToken)

  const tables = ['users', 'sign_ins', 'refresh_tokens', 'account_salts'] as const
  const rows = await Promise.all(tables.map((table) => stage.db.selectFrom(table).selectAll().execute()))

  const dump = JSON.stringify(rows)
  expect(rows.every((table) => table.length > 0)).toBe(true)
  expect(dump).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  for (const secret of [password, password.slice(4), accessToken, refreshToken, refreshed.json().refresh_token]) {
    expect(dump).not.toContain(secret)
  }
})

onAnyDatabase(
  'the public keys are cacheable and contain no private key; health and settings describe the server',
  async (stage) => {
    const { get, keys } = await startAccountServer(stage)

    const published = await get('/auth/v1/.well-known/jwks.json')
    const health = await get('/auth/v1/health')
    const settings = await get('/auth/v1/settings')

    expect(published.headers['cache-control']).toBe('public, max-age=600')
    expect(published.json().keys).toEqual(keys.publicKeys)
    expect(Object.keys(published.json())).toEqual(['keys'])
    expect(published.body).not.toContain('"d"')
    expect(health.json().name).toBe('Sallyport')
    expect(settings.json()).toMatchObject({ disable_signup: false, mailer_autoconfirm: true })
  },
)
