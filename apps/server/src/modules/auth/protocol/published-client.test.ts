import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js'
import { expect } from 'vitest'
import { onEmbeddedDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { appCode, clientOf } from '../../../testing/provider-suite.ts'
import {
  codeIn,
  linkIn,
  parametersIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

async function start(stage: Stage, settings: { strict?: boolean } = {}) {
  const server = await startAccountServer(stage, { confirmEmails: true, confirmPhones: true, ...settings })
  const url = `${await server.app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
  const serviceKey = await server.provider.issueServiceKey(3600)
  const admin = new GoTrueAdminApi({ url, headers: { apikey: 'sallyport', Authorization: `Bearer ${serviceKey}` } })
  const client = clientOf({ url, apikey: 'sallyport' })
  const lastMail = async () => (await server.emails()).at(-1) ?? expect.fail('no email')
  return { ...server, url, admin, client, lastMail }
}

onEmbeddedDatabase(
  'ACC-09 every sign-in method of the published client works on the embedded provider',
  async (stage) => {
    const { app, url, client, lastMail } = await start(stage)
    const email = randomEmail()
    const password = randomCredential()

    expect((await client.signUp({ email, password })).error).toBeNull()
    stage.advance(61_000)
    expect((await client.resend({ type: 'signup', email })).error).toBeNull()
    const token_hash = parametersIn(await lastMail()).get('token_hash') ?? ''
    expect((await client.verifyOtp({ type: 'email', token_hash })).data.session).not.toBeNull()
    const { data } = await client.signInWithPassword({ email, password })
    const { access_token = '', refresh_token = '' } = data.session ?? {}
    expect((await clientOf({ url, apikey: '' }).setSession({ access_token, refresh_token })).error).toBeNull()
    expect((await client.refreshSession()).error).toBeNull()
    expect((await client.getSession()).data.session).not.toBeNull()
    expect((await client.getUser()).data.user?.email).toBe(email)
    expect((await client.getClaims()).data?.claims.email).toBe(email)

    expect((await client.signInWithOtp({ email })).error).toMatchObject({ code: 'otp_disabled', status: 422 })
    stage.advance(61_000)
    expect((await client.resetPasswordForEmail(email)).error).toBeNull()
    expect((await lastMail()).subject).toBe('Choose a new password')
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
    await app.close()
  },
)

onEmbeddedDatabase('ACC-09 without strict mode the published client signs in with an emailed code', async (stage) => {
  const { app, admin, client, lastMail } = await start(stage, { strict: false })
  const email = randomEmail()
  await admin.createUser({ email, password: randomCredential(), email_confirm: true })

  expect((await client.signInWithOtp({ email })).error).toBeNull()
  const token = codeIn((await lastMail()).text)
  expect((await client.verifyOtp({ type: 'email', email, token })).data.session).not.toBeNull()
  await app.close()
})

onEmbeddedDatabase('ACC-09 a PKCE link is exchanged only by the client that requested it', async (stage) => {
  const { app, url, get, client, lastMail, admin } = await start(stage, { strict: false })
  const email = randomEmail()
  await admin.createUser({ email, password: randomCredential(), email_confirm: true })
  const storage = new Map<string, string>()
  const pkceClient = new AuthClient({
    url,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
  })

  expect((await pkceClient.signInWithOtp({ email })).error).toBeNull()
  const { pathname, search } = linkIn(await lastMail())
  const opened = await get(pathname + search)
  const code = new URL(opened.headers.location ?? '').searchParams.get('code') ?? ''
  const elsewhere = await client.exchangeCodeForSession(code)
  const here = await pkceClient.exchangeCodeForSession(code)

  expect(elsewhere.data.session ?? null).toBeNull()
  expect(here.data.session?.user.email).toBe(email)
  await app.close()
})

onEmbeddedDatabase('ACC-18 every MFA method of the published client works', async (stage) => {
  const { app, admin, client, lastMail } = await start(stage)
  const email = randomEmail()
  const password = randomCredential()
  const { data: created } = await admin.createUser({ email, password, email_confirm: true })
  const id = created.user?.id ?? ''
  await client.signInWithPassword({ email, password })

  const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const factorId = enrolled.data?.id ?? ''
  const secret = enrolled.data?.type === 'totp' ? enrolled.data.totp.secret : ''
  const challenge = await client.mfa.challenge({ factorId })
  const code = appCode(secret, stage.now())
  const verified = await client.mfa.verify({ factorId, challengeId: challenge.data?.id ?? '', code })
  expect(verified.error).toBeNull()
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
  expect((await client.mfa.listFactors()).data?.totp).toHaveLength(1)
  expect((await client.reauthenticate()).error).toBeNull()
  expect(codeIn((await lastMail()).text)).toMatch(/^\d{6}$/)
  expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toHaveLength(1)
  expect((await client.mfa.unenroll({ factorId })).error).toBeNull()

  const again = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'other' })
  expect((await admin.mfa.deleteFactor({ userId: id, id: again.data?.id ?? '' })).error).toBeNull()
  expect((await client.mfa.listFactors()).data?.all).toEqual([])
  await app.close()
})

onEmbeddedDatabase('ACC-09 every admin method of the published client works with a service key', async (stage) => {
  const { app, admin, client } = await start(stage)
  const email = randomEmail()
  const password = randomCredential()
  const created = await admin.createUser({ email, password, email_confirm: true })
  const id = created.data.user?.id ?? ''

  expect((await admin.listUsers()).data.users.map((user) => user.id)).toContain(id)
  expect((await admin.getUserById(id)).data.user?.email).toBe(email)
  expect((await admin.updateUserById(id, { user_metadata: { note: 'x' } })).data.user?.user_metadata).toMatchObject({
    note: 'x',
  })
  expect((await admin.inviteUserByEmail(randomEmail())).data.user?.invited_at).toBeTruthy()
  expect((await admin.generateLink({ type: 'recovery', email })).data.properties?.hashed_token).toBeTruthy()
  expect((await admin.deleteUser(id)).error).toBeNull()
  expect((await admin.getUserById(id)).error?.status).toBe(404)
  expect((await client.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials')
  await app.close()
})
