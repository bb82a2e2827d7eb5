import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { randomCredential, randomEmail } from './servers/account-server.ts'

/** A running provider of the auth protocol. It verifies addresses and supports MFA. */
export interface RunningProvider {
  readonly url: string
  readonly apikey: string
  readonly serviceKey: string
}

type Client = InstanceType<typeof AuthClient>

/** Creates the published client as the web app uses it, with in-memory storage. */
export function clientOf({ url, apikey }: Pick<RunningProvider, 'url' | 'apikey'>): Client {
  const items = new Map<string, string>()
  return new AuthClient({
    url,
    headers: { apikey },
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
  })
}

const adminOf = ({ url, apikey, serviceKey }: RunningProvider): GoTrueAdminApi =>
  new GoTrueAdminApi({ url, headers: { apikey, Authorization: `Bearer ${serviceKey}` } })

/** Generates the code of an authenticator app. */
export const appCode = (secret: string, at = Date.now()): string => new TOTP({ secret }).generate({ timestamp: at })

/** Runs one test, on its own provider or on a shared one. */
export type ProviderTest = (title: string, body: (provider: RunningProvider) => Promise<void>) => void

/** Tests what the product needs of a provider beyond the client's own tests; runs against every provider. */
export function testProvider(providerTest: ProviderTest): void {
  /** Creates a user with a verified address by the admin API. */
  async function createConfirmedUser(provider: RunningProvider) {
    const email = randomEmail()
    const password = randomCredential()
    const { data, error } = await adminOf(provider).createUser({ email, password, email_confirm: true })
    expect(error).toBeNull()
    return { email, password, id: data.user?.id ?? '' }
  }

  async function signIn(provider: RunningProvider, { email, password }: { email: string; password: string }) {
    const client = clientOf(provider)
    const { data, error } = await client.signInWithPassword({ email, password })
    expect(error).toBeNull()
    return { client, session: data.session ?? expect.fail('no session') }
  }

  providerTest(
    'ACC-10 a new user can sign in only after opening the link, which can be used once',
    async (provider) => {
      const email = randomEmail()
      const password = randomCredential()
      const { data } = await adminOf(provider).generateLink({ type: 'signup', email, password })
      const token_hash = data.properties?.hashed_token ?? ''
      const early = await clientOf(provider).signInWithPassword({ email, password })

      const verified = await clientOf(provider).verifyOtp({ type: 'email', token_hash })
      const again = await clientOf(provider).verifyOtp({ type: 'email', token_hash })
      const { session } = await signIn(provider, { email, password })

      expect(early.error).toMatchObject({ code: 'email_not_confirmed', status: 400 })
      expect(verified.data.user).toMatchObject({ email, user_metadata: { email_verified: true } })
      expect(verified.data.user?.email_confirmed_at).toBeTruthy()
      expect(again.error).toMatchObject({ code: 'otp_expired', status: 403 })
      expect(session.user.email).toBe(email)
    },
  )

  providerTest('the six-digit code of a link works like the link, for its own address only', async (provider) => {
    const { email } = await createConfirmedUser(provider)
    const other = await createConfirmedUser(provider)
    const { data } = await adminOf(provider).generateLink({ type: 'recovery', email })
    const token = data.properties?.email_otp ?? ''
    expect(token).toMatch(/^\d{6}$/)

    const elsewhere = await clientOf(provider).verifyOtp({ type: 'recovery', email: other.email, token })
    const wrong = token === '000000' ? '000001' : '000000'
    const guessed = await clientOf(provider).verifyOtp({ type: 'recovery', email, token: wrong })
    const verified = await clientOf(provider).verifyOtp({ type: 'recovery', email, token })

    expect(elsewhere.error?.code).toBe('otp_expired')
    expect(guessed.error?.code).toBe('otp_expired')
    expect(verified.data.session?.access_token).toBeTruthy()
  })

  providerTest(
    'T058 T059 T073 a recovery link sets a new password once and ends all other auth sessions',
    async (provider) => {
      const person = await createConfirmedUser(provider)
      const elsewhere = await signIn(provider, person)
      const { data } = await adminOf(provider).generateLink({ type: 'recovery', email: person.email })
      const token_hash = data.properties?.hashed_token ?? ''
      const client = clientOf(provider)
      const events: string[] = []
      client.onAuthStateChange((event) => void events.push(event))

      const asOther = await clientOf(provider).verifyOtp({ type: 'email_change', token_hash })
      const opened = await client.verifyOtp({ type: 'recovery', token_hash })
      const next = randomCredential()
      const changed = await client.updateUser({ password: next })
      const again = await clientOf(provider).verifyOtp({ type: 'recovery', token_hash })
      const old = await clientOf(provider).signInWithPassword(person)
      const refreshed = await elsewhere.client.refreshSession({ refresh_token: elsewhere.session.refresh_token })

      expect(asOther.error?.code).toBe('otp_expired')
      expect(opened.error).toBeNull()
      expect(events).toContain('PASSWORD_RECOVERY')
      expect(changed.error).toBeNull()
      expect(again.error?.code).toBe('otp_expired')
      expect(old.error?.code).toBe('invalid_credentials')
      expect(refreshed.error?.status).toBe(400)
      expect((await client.getUser()).error).toBeNull()
      await signIn(provider, { email: person.email, password: next })
    },
  )

  providerTest('T071 a refresh token that was just used returns the current refresh token again', async (provider) => {
    const { client, session } = await signIn(provider, await createConfirmedUser(provider))
    const first = await client.refreshSession({ refresh_token: session.refresh_token })

    const again = await clientOf(provider).refreshSession({ refresh_token: session.refresh_token })

    expect(first.data.session?.refresh_token).not.toBe(session.refresh_token)
    expect(again.data.session?.refresh_token).toBe(first.data.session?.refresh_token)
  })

  providerTest(
    'T064 sign-out ends the local, the other or all auth sessions, depending on its scope',
    async (provider) => {
      const person = await createConfirmedUser(provider)
      const here = await signIn(provider, person)
      const there = await signIn(provider, person)

      await here.client.signOut({ scope: 'others' })
      const afterOthers = [await here.client.getUser(), await there.client.getUser()].map(({ error }) => error === null)
      const back = await signIn(provider, person)
      await here.client.signOut({ scope: 'local' })
      const afterLocal = (await back.client.getUser()).error
      await back.client.signOut({ scope: 'global' })
      const refreshed = await clientOf(provider).refreshSession({ refresh_token: back.session.refresh_token })

      expect(afterOthers).toEqual([true, false])
      expect(afterLocal).toBeNull()
      expect(refreshed.error?.code).toBe('refresh_token_not_found')
    },
  )

  providerTest(
    'T074 T076 T078 verifying a second factor raises this auth session to aal2 and ends those at aal1',
    async (provider) => {
      const person = await createConfirmedUser(provider)
      const { client, session } = await signIn(provider, person)
      const elsewhere = await signIn(provider, person)
      const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Telephone' })
      const { id: factorId, totp } = enrolled.data ?? expect.fail('not enrolled')
      const code = appCode(totp.secret)
      const wrong = code === '000000' ? '000001' : '000000'

      const guessed = await client.mfa.challengeAndVerify({ factorId, code: wrong })
      const verified = await client.mfa.challengeAndVerify({ factorId, code })
      const replayed = await client.mfa.challengeAndVerify({ factorId, code })
      const level = await client.mfa.getAuthenticatorAssuranceLevel()
      const factors = await client.mfa.listFactors()
      const ended = await elsewhere.client.getUser()
      const lesser = await clientOf(provider).refreshSession({ refresh_token: session.refresh_token })

      expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
      expect(totp.uri).toMatch(/^otpauth:\/\/totp\//)
      expect(guessed.error).toMatchObject({ code: 'mfa_verification_failed', status: 422 })
      expect(verified.error).toBeNull()
      expect(replayed.error).not.toBeNull()
      expect(level.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })
      expect(
        level.data?.currentAuthenticationMethods.map((entry) => (typeof entry === 'string' ? entry : entry.method)),
      ).toEqual(['totp', 'password'])
      expect(factors.data?.totp).toMatchObject([{ id: factorId, friendly_name: 'Telephone', status: 'verified' }])
      expect(ended.error).not.toBeNull()
      expect(lesser.error).not.toBeNull()
    },
  )

  providerTest(
    'T058 T078 with MFA a session from a password or a recovery link alone cannot change the account',
    async (provider) => {
      const person = await createConfirmedUser(provider)
      const { client } = await signIn(provider, person)
      const { data: factor } = await client.mfa.enroll({ factorType: 'totp' })
      await client.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code: appCode(factor?.totp.secret ?? '') })
      const { data } = await adminOf(provider).generateLink({ type: 'recovery', email: person.email })

      const recovered = clientOf(provider)
      await recovered.verifyOtp({ type: 'recovery', token_hash: data.properties?.hashed_token ?? '' })
      const level = await recovered.mfa.getAuthenticatorAssuranceLevel()
      const changed = await recovered.updateUser({ password: randomCredential() })
      const removed = await recovered.mfa.unenroll({ factorId: factor?.id ?? '' })
      const another = await recovered.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' })

      expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
      for (const refused of [changed, removed, another]) expect(refused.error?.code).toBe('insufficient_aal')
      expect((await client.mfa.unenroll({ factorId: factor?.id ?? '' })).error).toBeNull()
      expect((await client.mfa.listFactors()).data?.all).toEqual([])
    },
  )

  providerTest('T079 users cannot change their own server-controlled fields', async (provider) => {
    const { client, session } = await signIn(provider, await createConfirmedUser(provider))
    const answer = await fetch(`${provider.url}/user`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        apikey: provider.apikey,
        authorization: `Bearer ${session.access_token}`,
      },
      body: JSON.stringify({
        data: { nickname: 'Ann', gone: null },
        app_metadata: { is_admin: true },
        role: 'service_role',
        email_confirmed_at: null,
        factors: [],
      }),
    })

    const { data } = await client.getUser()

    expect(answer.status).toBe(200)
    expect(data.user?.user_metadata).toMatchObject({ nickname: 'Ann' })
    expect(data.user?.user_metadata).not.toHaveProperty('gone')
    expect(data.user?.app_metadata).not.toHaveProperty('is_admin')
    expect(data.user?.role).toBe('authenticated')
    expect(data.user?.email_confirmed_at).toBeTruthy()
  })

  providerTest('T065 the admin API bans, unbans and deletes users, and requires a service key', async (provider) => {
    const admin = adminOf(provider)
    const person = await createConfirmedUser(provider)
    const { client, session } = await signIn(provider, person)
    const asUser = adminOf({ ...provider, serviceKey: session.access_token })

    const refused = await asUser.getUserById(person.id)
    await admin.updateUserById(person.id, { ban_duration: '876000h' })
    const banned = await clientOf(provider).signInWithPassword(person)
    const whileBanned = await client.getUser()
    await admin.updateUserById(person.id, { ban_duration: 'none' })
    await signIn(provider, person)
    const listed = await admin.listUsers({ page: 1, perPage: 10 })
    await admin.deleteUser(person.id)
    const gone = await admin.getUserById(person.id)

    expect(refused.error).toMatchObject({ code: 'not_admin', status: 403 })
    expect(banned.error?.code).toBe('user_banned')
    expect(whileBanned.error).not.toBeNull()
    expect(listed.data.users.map(({ id }) => id)).toContain(person.id)
    expect(gone.error).toMatchObject({ code: 'user_not_found', status: 404 })
  })

  providerTest(
    'an access token has the claims of the protocol and verifies with the published keys',
    async (provider) => {
      const person = await createConfirmedUser(provider)
      const { client } = await signIn(provider, person)

      const { data } = await client.getClaims()

      expect(data?.claims).toMatchObject({
        sub: person.id,
        email: person.email,
        phone: '',
        role: 'authenticated',
        aud: 'authenticated',
        aal: 'aal1',
        is_anonymous: false,
        amr: [{ method: 'password' }],
      })
    },
  )

  providerTest('every client call is answered according to the protocol', async (provider) => {
    const person = await createConfirmedUser(provider)
    const { client } = await signIn(provider, person)
    const stranger = clientOf(provider)

    const answers = {
      signUp: await stranger.signUp({ email: randomEmail(), password: randomCredential() }),
      recover: await stranger.resetPasswordForEmail(randomEmail()),
      resend: await stranger.resend({ type: 'signup', email: randomEmail() }),
      getUser: await client.getUser(),
      changeData: await client.updateUser({ data: { nickname: 'Ann' } }),
      identities: await client.getUserIdentities(),
      factors: await client.mfa.listFactors(),
    }
    const unknownFactor = await client.mfa.challenge({ factorId: '01a1fd00-0000-7000-8000-000000000000' })
    const unknownCode = await stranger.verifyOtp({ type: 'sms', phone: '+4917012345678', token: '123456' })

    for (const [call, { error }] of Object.entries(answers)) expect(error, call).toBeNull()
    expect(answers.signUp.data.session).toBeNull()
    expect(unknownFactor.error).toMatchObject({ code: 'mfa_factor_not_found', status: 404 })
    expect(unknownCode.error).toMatchObject({ code: 'otp_expired', status: 403 })
  })
}
