import { expect } from 'vitest'
import { createLocalBus } from '../bus/bus.ts'
import { openDatabase } from '../db/open.ts'
import { furnishAccount } from '../licences/furnish.store.ts'
import { createLocalAttempts } from '../limits/attempts.ts'
import { aCredential, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../testing/databases.ts'
import { aFolder } from '../testing/folder.ts'
import { appCode, clientOf } from '../testing/provider-suite.ts'
import { createHostedProvider } from './hosted/hosted-provider.ts'
import { createMirrorStore } from './hosted/mirror.store.ts'
import type { AuthProvider } from './provider.ts'
import { createSignInsStore } from './sign-ins/sign-ins.store.ts'
import { listSignInsOf } from './sign-ins/sign-ins.ts'

interface Side {
  readonly provider: AuthProvider
  /** Where the provider answers its protocol. */
  readonly url: string
}

const hourSeconds = 3600
const day = 24 * 3_600_000

/** The same on the provider that comes with the server, and on one elsewhere that is reached over HTTP. */
function onBothProviders(title: string, body: (side: Side, stage: Stage) => Promise<void>): void {
  onBothDatabases(`${title} [embedded]`, async (stage) => {
    const { app, provider } = await startAccounts(stage, { confirmAddresses: true })
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    await body({ provider, url }, stage).finally(() => app.close())
  })

  onBothDatabases(`${title} [hosted]`, async (stage) => {
    const elsewhere = await openDatabase({ databaseUrl: undefined, folder: aFolder(), onError: () => undefined })
    const there = await startAccounts({ ...stage, db: elsewhere.db, folder: aFolder() }, { confirmAddresses: true })
    const url = `${await there.app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const { db, now } = stage
    const provider = createHostedProvider({
      url,
      issuer: 'http://sallyport.test/auth/v1',
      publishableKey: 'sallyport',
      serviceKey: await there.provider.issueServiceKey(hourSeconds),
      keysUrl: new URL(`${url}/.well-known/jwks.json`),
      sharedSecret: undefined,
      mirror: createMirrorStore(db, furnishAccount),
      listSignIns: (userId) => listSignInsOf(createSignInsStore(db), userId, now()),
      signIns: createSignInsStore(db),
      attempts: createLocalAttempts(now),
      bus: createLocalBus(),
      now,
      strict: true,
    })
    try {
      await body({ provider, url }, stage)
    } finally {
      await there.app.close()
      await elsewhere.close()
    }
  })
}

const origin = { address: '192.0.2.1', userAgent: 'Test' }

async function aMember({ provider }: Side) {
  const email = anEmail()
  const credential = aCredential()
  const { id } = await provider.createUser({ email, credential, confirmed: true })
  const signIn = () => provider.passwordGrant({ email, credential, policy: 'short', origin })
  return { id, email, credential, signIn }
}

onBothProviders('a user is made once, found by id and by address, and signs in', async (side, { db }) => {
  const { provider } = side
  const { id, email, credential, signIn } = await aMember(side)
  const session = await signIn()

  const account = await provider.findAccount(session.access_token)

  expect(account).toMatchObject({ userId: id, email, secondFactorPending: false, recoveredAt: null })
  expect(await provider.findBy({ email: email.toUpperCase() })).toMatchObject({ id })
  expect(await provider.findUser(id)).toMatchObject({ email })
  expect(await provider.findUser('01a1fd00-0000-7000-8000-000000000000')).toBeNull()
  expect(await provider.findBy({ email: anEmail() })).toBeNull()
  expect(await provider.findAccount(`${session.access_token}x`)).toBeNull()
  await expect(provider.createUser({ email, credential, confirmed: true })).rejects.toMatchObject({
    code: 'user_already_exists',
  })
  const wrong = provider.passwordGrant({ email, credential: aCredential(), policy: 'short', origin })
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(await db.selectFrom('licences').select('user_id').execute()).toEqual([{ user_id: id }])
})

onBothProviders(
  'who signs up by a link signs in once it was opened, with the password that came last',
  async (side) => {
    const { provider, url } = side
    const email = anEmail()
    const credential = aCredential()
    await provider.signUpLink({ email, credential: aCredential() })
    const { user, tokenHash } = await provider.signUpLink({ email, credential })
    const signIn = () => provider.passwordGrant({ email, credential, policy: 'short', origin })

    await expect(signIn()).rejects.toMatchObject({ code: 'email_not_confirmed' })
    const opened = await clientOf({ url, apikey: 'sallyport' }).verifyOtp({ type: 'email', token_hash: tokenHash })

    expect(opened.error).toBeNull()
    expect((await signIn()).user.id).toBe(user.id)
    await expect(provider.signUpLink({ email, credential })).rejects.toMatchObject({ code: 'user_already_exists' })
  },
)

onBothProviders(
  'a recovery link begins a sign-in that says so, and nobody gets one for an unknown address',
  async (side) => {
    const { provider, url } = side
    const { email } = await aMember(side)
    const token_hash = (await provider.recoveryLink(email)) ?? ''

    const { data } = await clientOf({ url, apikey: 'sallyport' }).verifyOtp({ type: 'recovery', token_hash })
    const account = await provider.findAccount(data.session?.access_token ?? '')

    expect(account?.recoveredAt).toBeGreaterThan(0)
    expect(await provider.recoveryLink(anEmail())).toBeNull()
  },
)

onBothProviders('T065 T073 bans, new passwords and removal end every sign-in', async (side, stage) => {
  const { provider } = side
  const { id, credential, email, signIn } = await aMember(side)
  const findNow = async (token: string) => provider.findAccount(token)

  const beforeChange = await signIn()
  expect(await findNow(beforeChange.access_token)).not.toBeNull()
  const next = aCredential()
  await provider.updateUser(id, { credential: next })
  expect(await findNow(beforeChange.access_token)).toBeNull()
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
  await provider.updateUser(id, { credential, userMetadata: { nickname: 'Ann' } })
  const beforeBan = await signIn()
  await findNow(beforeBan.access_token)
  await provider.setBan(id, stage.now() + day)
  expect(await findNow(beforeBan.access_token)).toBeNull()
  await expect(signIn()).rejects.toMatchObject({ code: 'user_banned' })
  await provider.setBan(id, null)
  const last = await signIn()
  expect(last.user).toMatchObject({ email, user_metadata: { nickname: 'Ann' } })
  await provider.deleteUser(id)
  expect(await findNow(last.access_token)).toBeNull()
  expect(await provider.findUser(id)).toBeNull()
})

onBothProviders('sign-ins are listed and ended one by one', async (side) => {
  const { provider } = side
  const { id, signIn } = await aMember(side)
  const [here, there] = [await signIn(), await signIn()]
  const mine = await provider.findAccount(here.access_token)
  await provider.findAccount(there.access_token)
  const listed = await provider.listSignIns(id)

  const ended = await provider.endOtherSignIns(id, mine?.signInId ?? '')

  expect(listed).toHaveLength(2)
  expect(ended).toBe(1)
  expect(await provider.findAccount(there.access_token)).toBeNull()
  expect(await provider.findAccount(here.access_token)).not.toBeNull()
  await provider.endSignIns(id, mine?.signInId)
  expect(await provider.findAccount(here.access_token)).toBeNull()
  expect(await provider.listSignIns(id)).toEqual([])
})

onBothProviders('T078 a sign-in that lacks its second factor is known as such', async (side, stage) => {
  const { provider, url } = side
  const { email, credential, signIn } = await aMember(side)
  const client = clientOf({ url, apikey: 'sallyport' })
  await client.signInWithPassword({ email, password: credential })
  const { data } = await client.mfa.enroll({ factorType: 'totp' })
  const code = appCode(data?.totp.secret ?? '', stage.now())
  const raised = await client.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })

  const lesser = await provider.findAccount((await signIn()).access_token)
  const whole = await provider.findAccount(raised.data?.access_token ?? '')

  expect(lesser?.secondFactorPending).toBe(true)
  expect(whole?.secondFactorPending).toBe(false)
})

onBothProviders(
  'a sign-in is a fresh proof for five minutes, and its password makes it one again',
  async (side, stage) => {
    const { provider } = side
    const member = await aMember(side)
    const { access_token } = await member.signIn()
    const account = await provider.findAccount(access_token)
    const { userId = '', signInId = '' } = account ?? {}
    const show = (credential: string) => provider.reauthenticate({ userId, signInId, credential, origin })
    const atFirst = await provider.hasFreshProof(signInId)
    stage.advance(5 * 60_000 + 1000)
    const later = await provider.hasFreshProof(signInId)

    const wrong = await show(aCredential()).catch((error: { code: string }) => error.code)
    const afterWrong = await provider.hasFreshProof(signInId)
    await show(member.credential)

    expect([atFirst, later, afterWrong]).toEqual([true, false, false])
    expect(wrong).toMatch(/^(current_password_invalid|invalid_credentials)$/)
    expect(await provider.hasFreshProof(signInId)).toBe(true)
    expect((await provider.findAccount(access_token))?.signInId).toBe(signInId)
  },
)
