import { messageLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import {
  apiVersionHeader,
  codeIn,
  parametersIn,
  randomCredential,
  randomEmail,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const minute = 60_000

async function start(stage: Stage, settings = {}) {
  const server = await startAccountServer(stage, settings)
  const change = (body: object, bearer: Record<string, string>) =>
    server.put('/auth/v1/user', body, { ...bearer, ...apiVersionHeader })
  const statusAndCode = (response: { statusCode: number; json(): { code?: string } }) => [
    response.statusCode,
    response.json().code,
  ]
  const verify = (body: object) => server.post('/auth/v1/verify', body, apiVersionHeader)
  /** Signs in by a recovery link. */
  async function recover(email: string) {
    const token_hash = await server.provider.createRecoveryLink(email)
    const { access_token } = (await verify({ type: 'recovery', token_hash })).json()
    return { authorization: `Bearer ${access_token}` }
  }
  return { ...server, change, statusAndCode, verify, recover }
}

onAnyDatabase(
  'T057 a new password requires the current one, ends all other auth sessions and notifies the owner',
  async (stage) => {
    const server = await start(stage)
    const member = await server.createMember()
    const { email, password, bearer } = member
    const elsewhere = (await server.post('/api/login', { email, password })).json().session
    const next = randomCredential()

    const without = await server.change({ password: next }, bearer)
    const wrong = await server.change({ password: next, current_password: randomCredential() }, bearer)
    const same = await server.change({ password, current_password: password }, bearer)
    const typed = await server.change({ password: 'correct horse battery', current_password: password }, bearer)
    const changed = await server.change({ password: next, current_password: password }, bearer)

    expect(server.statusAndCode(without)).toEqual([400, 'current_password_required'])
    expect(server.statusAndCode(wrong)).toEqual([400, 'current_password_invalid'])
    expect(server.statusAndCode(same)).toEqual([422, 'same_password'])
    expect(server.statusAndCode(typed)).toEqual([400, 'derived_secret_required'])
    expect(changed.statusCode).toBe(200)
    expect((await server.refresh(elsewhere.refresh_token)).json().code).toBe('refresh_token_not_found')
    expect((await server.get('/api/settings', bearer)).statusCode).toBe(200)
    expect((await server.refresh(member.refreshToken)).statusCode).toBe(200)
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(401)
    expect((await server.post('/api/login', { email, password: next })).statusCode).toBe(200)
    expect((await server.emails()).at(-1)?.subject).toBe('Your password was changed')
  },
)

onAnyDatabase('T049 guesses at the current password count like failed sign-ins', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.createMember()
  const guess = () => server.change({ password: randomCredential(), current_password: randomCredential() }, bearer)
  for (let failure = 0; failure < 10; failure += 1) await guess()

  expect(server.statusAndCode(await guess())).toEqual([429, 'over_request_rate_limit'])
})

onAnyDatabase('a recovery link allows a new password without the old one for 1 hour', async (stage) => {
  const server = await start(stage)
  const { email } = await server.createMember()
  const recovered = await server.recover(email)
  const late = await server.recover(email)

  const soon = await server.change({ password: randomCredential() }, recovered)
  const lateAgain = await server.recover(email)
  stage.advance(messageLimits.recoveryLinkMs)
  const tooLate = await server.change({ password: randomCredential() }, lateAgain)

  expect(soon.statusCode).toBe(200)
  expect((await server.get('/auth/v1/user', { ...late, ...apiVersionHeader })).json().code).toBe('session_not_found')
  expect(server.statusAndCode(tooLate)).toEqual([400, 'current_password_required'])
})

onAnyDatabase('an emailed code replaces the current password once', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.createMember()
  stage.advance(minute)
  await server.get('/auth/v1/reauthenticate', bearer)
  const nonce = codeIn((await server.emails()).at(-1)?.text)

  const wrong = await server.change(
    { password: randomCredential(), nonce: nonce === '000000' ? '000001' : '000000' },
    bearer,
  )
  const right = await server.change({ password: randomCredential(), nonce }, bearer)
  const again = await server.change({ password: randomCredential(), nonce }, bearer)

  expect(server.statusAndCode(wrong)).toEqual([422, 'reauthentication_not_valid'])
  expect(right.statusCode).toBe(200)
  expect(server.statusAndCode(again)).toEqual([422, 'reauthentication_not_valid'])
})

onAnyDatabase(
  'a new email address takes effect once both addresses have confirmed, and the password still works',
  async (stage) => {
    const server = await start(stage, { confirmEmails: true })
    const [email, next] = [randomEmail(), randomEmail()]
    const password = randomCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}` }
    const saltOf = async (address: string) => (await server.post('/api/auth/prelogin', { email: address })).json().salt
    const salt = await saltOf(email)

    const without = await server.change({ email: next }, bearer)
    const requested = await server.change({ email: next, current_password: password }, bearer)
    const [toOld, toNew] = (await server.emails()).slice(-2)
    const tokenIn = (mail: typeof toOld) => (mail ? parametersIn(mail).get('token_hash') : null)
    const first = await server.verify({ type: 'email_change', token_hash: tokenIn(toNew) })
    const between = await server.post('/api/login', { email: next, password })
    const second = await server.verify({ type: 'email_change', token_hash: tokenIn(toOld) })

    expect(server.statusAndCode(without)).toEqual([400, 'current_password_required'])
    expect(requested.json()).toMatchObject({ email, new_email: next })
    expect([toOld?.to?.[0]?.address, toNew?.to?.[0]?.address]).toEqual([email, next])
    expect(first.json()).toMatchObject({ code: '200' })
    expect(between.statusCode).toBe(401)
    expect(second.json().user).toMatchObject({ email: next })
    expect(await saltOf(next)).toBe(salt)
    // The old address no longer returns the account's salt.
    const released = await saltOf(email)
    expect(released).not.toBe(salt)
    expect(await saltOf(email)).toBe(released)
    expect((await server.post('/api/login', { email: next, password })).statusCode).toBe(200)
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(401)
  },
)

onAnyDatabase('an email address or phone number of another user is rejected', async (stage) => {
  const server = await start(stage)
  const { bearer, password } = await server.createMember()
  const other = await server.createMember()
  await server.provider.createUser({ phone: '+491701234567', confirmed: true })

  const email = await server.change({ email: other.email, current_password: password }, bearer)
  const phone = await server.change({ phone: '491701234567', current_password: password }, bearer)

  expect(server.statusAndCode(email)).toEqual([422, 'email_exists'])
  expect(server.statusAndCode(phone)).toEqual([422, 'phone_exists'])
})

onAnyDatabase('a new phone number takes effect once its code is verified', async (stage) => {
  const server = await start(stage, { confirmPhones: true })
  const { bearer, password } = await server.createMember()
  const phone = '+491701234567'
  const requested = await server.change({ phone, current_password: password }, bearer)
  const token = codeIn((await server.textMessages())[0]?.split('\n\n')[1])

  const verified = await server.verify({ type: 'phone_change', phone, token })

  expect(requested.json()).toMatchObject({ phone: '', new_phone: '491701234567' })
  expect(verified.json().user).toMatchObject({ phone: '491701234567' })
  expect((await server.emails()).at(-1)?.subject).toBe('Your phone number was changed')
  const signedIn = await server.post('/auth/v1/token?grant_type=password', { phone, password })
  expect(signedIn.statusCode).toBe(200)
})

onAnyDatabase(
  'auth sessions are listed with their user agent and lifetime, and the others can be ended',
  async (stage) => {
    const server = await start(stage)
    const { userId, email, password } = await server.createMember({ policy: 'remember' })
    stage.advance(minute)
    await server.post('/api/login', { email, password }, { 'user-agent': 'Second' })

    const [latest, first] = await server.provider.listAuthSessions(userId)
    const ended = await server.provider.endOtherAuthSessions(userId, latest?.id ?? '')

    expect(latest).toMatchObject({ userAgent: 'Second', sessionLifetime: 'short', createdAt: stage.now() })
    expect(first).toMatchObject({ sessionLifetime: 'remember', lastUsedAt: stage.now() - minute })
    expect(ended).toBe(1)
    expect(await server.provider.listAuthSessions(userId)).toHaveLength(1)
  },
)

onAnyDatabase('an email address can change only to a domain of REGISTRATION_DOMAINS', async (stage) => {
  const server = await start(stage, { emailDomains: ['example.org'] })
  const { bearer, password } = await server.createMember()
  const changeTo = async (email: string) =>
    server.statusAndCode(await server.change({ email, current_password: password }, bearer))

  expect(await changeTo('someone@example.net')).toEqual([403, 'email_address_not_authorized'])
  expect(await changeTo('someone@example.org')).toEqual([200, undefined])
})
