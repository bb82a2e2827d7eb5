import { expect } from 'vitest'
import { openDatabase } from '../../platform/db/open.ts'
import { createLocalBus } from '../../platform/events/bus.ts'
import { createLocalRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { onAnyDatabase, type Stage } from '../../testing/engines/databases.ts'
import { appCode, clientOf } from '../../testing/provider-suite.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../testing/servers/account-server.ts'
import { createTestFolder } from '../../testing/test-folder.ts'
import { registrationTermsOf } from '../accounts/licences/licence.rules.ts'
import { createProvisionAccount } from '../accounts/licences/provision-account.store.ts'
import { createHostedProvider } from './hosted/hosted-provider.ts'
import { createMirrorStore } from './hosted/mirror.store.ts'
import type { AuthProvider } from './provider.ts'
import { createAuthSessionsStore } from './sign-ins/auth-sessions.store.ts'
import { listAuthSessionsOf } from './sign-ins/auth-sessions.ts'

interface ProviderUnderTest {
  readonly provider: AuthProvider
  /** The base URL of the auth protocol. */
  readonly url: string
}

const hourSeconds = 3600
const day = 24 * 3_600_000

/** Runs a test on the embedded provider and on a hosted one that is reached over HTTP. */
function onBothProviders(title: string, body: (target: ProviderUnderTest, stage: Stage) => Promise<void>): void {
  onAnyDatabase(`${title} [embedded]`, async (stage) => {
    const { app, provider } = await startAccountServer(stage, { confirmEmails: true })
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    await body({ provider, url }, stage).finally(() => app.close())
  })

  onAnyDatabase(`${title} [hosted]`, async (stage) => {
    const remoteDatabase = await openDatabase({
      databaseUrl: undefined,
      folder: createTestFolder(),
      onError: () => undefined,
    })
    const remoteServer = await startAccountServer(
      { ...stage, db: remoteDatabase.db, folder: createTestFolder() },
      { confirmEmails: true },
    )
    const url = `${await remoteServer.app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const { db, now } = stage
    const provider = createHostedProvider({
      url,
      issuer: 'http://sallyport.test/auth/v1',
      publishableKey: 'sallyport',
      serviceKey: await remoteServer.provider.issueServiceKey(hourSeconds),
      jwksUrl: new URL(`${url}/.well-known/jwks.json`),
      sharedSecret: undefined,
      mirror: createMirrorStore(db, createProvisionAccount(registrationTermsOf({ DEFAULT_PLAN: 'trial' }))),
      lists: {
        listAuthSessions: (userId) => listAuthSessionsOf(createAuthSessionsStore(db), userId, now()),
        listPastSignIns: async () => [],
      },
      authSessions: createAuthSessionsStore(db),
      rateLimiter: createLocalRateLimiter(now),
      bus: createLocalBus(),
      recordActivity: () => undefined,
      securityLog: { record: () => undefined },
      now,
      strict: true,
    })
    try {
      await body({ provider, url }, stage)
    } finally {
      await remoteServer.app.close()
      await remoteDatabase.close()
    }
  })
}

const origin = { address: '192.0.2.1', userAgent: 'Test' }

async function createMember({ provider }: ProviderUnderTest) {
  const email = randomEmail()
  const credential = randomCredential()
  const { id } = await provider.createUser({ email, credential, confirmed: true })
  const signIn = () => provider.passwordGrant({ email, credential, sessionLifetime: 'short', origin })
  return { id, email, credential, signIn }
}

onBothProviders('a user is created once, found by id and by email address, and signs in', async (target, { db }) => {
  const { provider } = target
  const { id, email, credential, signIn } = await createMember(target)
  const session = await signIn()

  const account = await provider.findAccount(session.access_token)

  expect(account).toMatchObject({ userId: id, email, mfaPending: false, recoveredAt: null })
  expect(await provider.findBy({ email: email.toUpperCase() })).toMatchObject({ id })
  expect(await provider.findUser(id)).toMatchObject({ email })
  expect(await provider.findUser('01a1fd00-0000-7000-8000-000000000000')).toBeNull()
  expect(await provider.findBy({ email: randomEmail() })).toBeNull()
  expect(await provider.findAccount(`${session.access_token}x`)).toBeNull()
  await expect(provider.createUser({ email, credential, confirmed: true })).rejects.toMatchObject({
    code: 'user_already_exists',
  })
  const wrong = provider.passwordGrant({ email, credential: randomCredential(), sessionLifetime: 'short', origin })
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(await db.selectFrom('licences').select('user_id').execute()).toEqual([{ user_id: id }])
})

onBothProviders(
  'a sign-up link: signing in works once it is opened, with the password of the latest sign-up',
  async (target) => {
    const { provider, url } = target
    const email = randomEmail()
    const credential = randomCredential()
    await provider.createSignUpLink({ email, credential: randomCredential() })
    const { user, tokenHash } = await provider.createSignUpLink({ email, credential })
    const signIn = () => provider.passwordGrant({ email, credential, sessionLifetime: 'short', origin })

    await expect(signIn()).rejects.toMatchObject({ code: 'email_not_confirmed' })
    const opened = await clientOf({ url, apikey: 'sallyport' }).verifyOtp({ type: 'email', token_hash: tokenHash })

    expect(opened.error).toBeNull()
    expect((await signIn()).user.id).toBe(user.id)
    await expect(provider.createSignUpLink({ email, credential })).rejects.toMatchObject({
      code: 'user_already_exists',
    })
  },
)

onBothProviders(
  'a recovery link starts a session marked as recovered; an unknown address gets no link',
  async (target) => {
    const { provider, url } = target
    const { email } = await createMember(target)
    const token_hash = (await provider.createRecoveryLink(email)) ?? ''

    const { data } = await clientOf({ url, apikey: 'sallyport' }).verifyOtp({ type: 'recovery', token_hash })
    const account = await provider.findAccount(data.session?.access_token ?? '')

    expect(account?.recoveredAt).toBeGreaterThan(0)
    expect(await provider.createRecoveryLink(randomEmail())).toBeNull()
  },
)

onBothProviders('T065 T073 a ban, a new password and deletion end every auth session', async (target, stage) => {
  const { provider } = target
  const { id, credential, email, signIn } = await createMember(target)
  const findAccount = async (token: string) => provider.findAccount(token)

  const beforeChange = await signIn()
  expect(await findAccount(beforeChange.access_token)).not.toBeNull()
  const next = randomCredential()
  await provider.updateUser(id, { credential: next })
  expect(await findAccount(beforeChange.access_token)).toBeNull()
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
  await provider.updateUser(id, { credential, userMetadata: { nickname: 'Ann' } })
  const beforeBan = await signIn()
  await findAccount(beforeBan.access_token)
  await provider.setBan(id, stage.now() + day)
  expect(await findAccount(beforeBan.access_token)).toBeNull()
  await expect(signIn()).rejects.toMatchObject({ code: 'user_banned' })
  await provider.setBan(id, null)
  const last = await signIn()
  expect(last.user).toMatchObject({ email, user_metadata: { nickname: 'Ann' } })
  await provider.deleteUser(id)
  expect(await findAccount(last.access_token)).toBeNull()
  expect(await provider.findUser(id)).toBeNull()
})

onBothProviders('auth sessions are listed and ended one by one', async (target) => {
  const { provider } = target
  const { id, signIn } = await createMember(target)
  const [here, remoteServer] = [await signIn(), await signIn()]
  const account = await provider.findAccount(here.access_token)
  await provider.findAccount(remoteServer.access_token)
  const listed = await provider.listAuthSessions(id)

  const ended = await provider.endOtherAuthSessions(id, account?.authSessionId ?? '')

  expect(listed).toHaveLength(2)
  expect(ended).toBe(1)
  expect(await provider.findAccount(remoteServer.access_token)).toBeNull()
  expect(await provider.findAccount(here.access_token)).not.toBeNull()
  await provider.endAuthSessions(id, account?.authSessionId)
  expect(await provider.findAccount(here.access_token)).toBeNull()
  expect(await provider.listAuthSessions(id)).toEqual([])
})

onBothProviders('T078 an auth session without its second factor is reported as pending', async (target, stage) => {
  const { provider, url } = target
  const { email, credential, signIn } = await createMember(target)
  const client = clientOf({ url, apikey: 'sallyport' })
  await client.signInWithPassword({ email, password: credential })
  const { data } = await client.mfa.enroll({ factorType: 'totp' })
  const code = appCode(data?.totp.secret ?? '', stage.now())
  const aal2 = await client.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })

  const pendingAccount = await provider.findAccount((await signIn()).access_token)
  const fullAccount = await provider.findAccount(aal2.data?.access_token ?? '')

  expect(pendingAccount?.mfaPending).toBe(true)
  expect(fullAccount?.mfaPending).toBe(false)
})

onBothProviders(
  'an auth session counts as recently authenticated for 5 minutes, and again after entering the password',
  async (target, stage) => {
    const { provider } = target
    const member = await createMember(target)
    const { access_token } = await member.signIn()
    const account = await provider.findAccount(access_token)
    const { userId = '', authSessionId = '' } = account ?? {}
    const reauthenticate = (credential: string) =>
      provider.reauthenticate({ userId, authSessionId, credential, origin })
    const atFirst = await provider.isRecentlyAuthenticated(authSessionId)
    stage.advance(5 * 60_000 + 1000)
    const later = await provider.isRecentlyAuthenticated(authSessionId)

    const wrong = await reauthenticate(randomCredential()).catch((error: { code: string }) => error.code)
    const afterWrong = await provider.isRecentlyAuthenticated(authSessionId)
    await reauthenticate(member.credential)

    expect([atFirst, later, afterWrong]).toEqual([true, false, false])
    expect(wrong).toMatch(/^(current_password_invalid|invalid_credentials)$/)
    expect(await provider.isRecentlyAuthenticated(authSessionId)).toBe(true)
    expect((await provider.findAccount(access_token))?.authSessionId).toBe(authSessionId)
  },
)
