import { messageLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { aCredential, anEmail, codeIn, datedForm, parametersIn, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'

const minute = 60_000

async function start(stage: Stage, settings = {}) {
  const server = await startAccounts(stage, settings)
  const change = (body: object, bearer: Record<string, string>) =>
    server.put('/auth/v1/user', body, { ...bearer, ...datedForm })
  const told = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
  const verify = (body: object) => server.post('/auth/v1/verify', body, datedForm)
  /** A sign-in that a recovery mail has just begun. */
  async function recover(email: string) {
    const token_hash = await server.provider.recoveryLink(email)
    const { access_token } = (await verify({ type: 'recovery', token_hash })).json()
    return { authorization: `Bearer ${access_token}` }
  }
  return { ...server, change, told, verify, recover }
}

onBothDatabases(
  'T057 a new password asks for the present one, ends all other sign-ins, and its owner is told',
  async (stage) => {
    const server = await start(stage)
    const member = await server.aMember()
    const { email, password, bearer } = member
    const elsewhere = (await server.post('/api/login', { email, password })).json().session
    const next = aCredential()

    const without = await server.change({ password: next }, bearer)
    const wrong = await server.change({ password: next, current_password: aCredential() }, bearer)
    const same = await server.change({ password, current_password: password }, bearer)
    const typed = await server.change({ password: 'correct horse battery', current_password: password }, bearer)
    const changed = await server.change({ password: next, current_password: password }, bearer)

    expect(server.told(without)).toEqual([400, 'current_password_required'])
    expect(server.told(wrong)).toEqual([400, 'current_password_invalid'])
    expect(server.told(same)).toEqual([422, 'same_password'])
    expect(server.told(typed)).toEqual([400, 'derived_secret_required'])
    expect(changed.statusCode).toBe(200)
    expect((await server.refresh(elsewhere.refresh_token)).json().code).toBe('refresh_token_not_found')
    expect((await server.get('/api/settings', bearer)).statusCode).toBe(200)
    expect((await server.refresh(member.refreshToken)).statusCode).toBe(200)
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(401)
    expect((await server.post('/api/login', { email, password: next })).statusCode).toBe(200)
    expect((await server.letters()).at(-1)?.subject).toBe('Your password was changed')
  },
)

onBothDatabases('T049 guessing the present password counts like guessing it at the door', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.aMember()
  const guess = () => server.change({ password: aCredential(), current_password: aCredential() }, bearer)
  for (let failure = 0; failure < 10; failure += 1) await guess()

  expect(server.told(await guess())).toEqual([429, 'over_request_rate_limit'])
})

onBothDatabases('a sign-in by a recovery mail sets a new password without the old one, for an hour', async (stage) => {
  const server = await start(stage)
  const { email } = await server.aMember()
  const recovered = await server.recover(email)
  const late = await server.recover(email)

  const soon = await server.change({ password: aCredential() }, recovered)
  const lateAgain = await server.recover(email)
  stage.advance(messageLimits.recoveryLinkMs)
  const tooLate = await server.change({ password: aCredential() }, lateAgain)

  expect(soon.statusCode).toBe(200)
  expect((await server.get('/auth/v1/user', { ...late, ...datedForm })).json().code).toBe('session_not_found')
  expect(server.told(tooLate)).toEqual([400, 'current_password_required'])
})

onBothDatabases('a code that was mailed stands in for the present password, once', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.aMember()
  stage.advance(minute)
  await server.get('/auth/v1/reauthenticate', bearer)
  const nonce = codeIn((await server.letters()).at(-1)?.text)

  const wrong = await server.change(
    { password: aCredential(), nonce: nonce === '000000' ? '000001' : '000000' },
    bearer,
  )
  const right = await server.change({ password: aCredential(), nonce }, bearer)
  const again = await server.change({ password: aCredential(), nonce }, bearer)

  expect(server.told(wrong)).toEqual([422, 'reauthentication_not_valid'])
  expect(right.statusCode).toBe(200)
  expect(server.told(again)).toEqual([422, 'reauthentication_not_valid'])
})

onBothDatabases(
  'a new address counts once both addresses have agreed, and the old password still opens it',
  async (stage) => {
    const server = await start(stage, { confirmAddresses: true })
    const [email, next] = [anEmail(), anEmail()]
    const password = aCredential()
    await server.provider.createUser({ email, credential: password, confirmed: true })
    const { session } = (await server.post('/api/login', { email, password })).json()
    const bearer = { authorization: `Bearer ${session.access_token}` }
    const saltOf = async (address: string) => (await server.post('/api/auth/prelogin', { email: address })).json().salt
    const salt = await saltOf(email)

    const without = await server.change({ email: next }, bearer)
    const asked = await server.change({ email: next, current_password: password }, bearer)
    const [toOld, toNew] = (await server.letters()).slice(-2)
    const tokenIn = (letter: typeof toOld) => (letter ? parametersIn(letter).get('token_hash') : null)
    const first = await server.verify({ type: 'email_change', token_hash: tokenIn(toNew) })
    const between = await server.post('/api/login', { email: next, password })
    const second = await server.verify({ type: 'email_change', token_hash: tokenIn(toOld) })

    expect(server.told(without)).toEqual([400, 'current_password_required'])
    expect(asked.json()).toMatchObject({ email, new_email: next })
    expect([toOld?.to?.[0]?.address, toNew?.to?.[0]?.address]).toEqual([email, next])
    expect(first.json()).toMatchObject({ code: '200' })
    expect(between.statusCode).toBe(401)
    expect(second.json().user).toMatchObject({ email: next })
    expect(await saltOf(next)).toBe(salt)
    // The address that was given up no longer leads to the account’s salt.
    const released = await saltOf(email)
    expect(released).not.toBe(salt)
    expect(await saltOf(email)).toBe(released)
    expect((await server.post('/api/login', { email: next, password })).statusCode).toBe(200)
    expect((await server.post('/api/login', { email, password })).statusCode).toBe(401)
  },
)

onBothDatabases('an address or a number of somebody else cannot be taken', async (stage) => {
  const server = await start(stage)
  const { bearer, password } = await server.aMember()
  const other = await server.aMember()
  await server.provider.createUser({ phone: '+491701234567', confirmed: true })

  const email = await server.change({ email: other.email, current_password: password }, bearer)
  const phone = await server.change({ phone: '491701234567', current_password: password }, bearer)

  expect(server.told(email)).toEqual([422, 'email_exists'])
  expect(server.told(phone)).toEqual([422, 'phone_exists'])
})

onBothDatabases('a new number counts once its code was typed', async (stage) => {
  const server = await start(stage, { confirmNumbers: true })
  const { bearer, password } = await server.aMember()
  const phone = '+491701234567'
  const asked = await server.change({ phone, current_password: password }, bearer)
  const token = codeIn((await server.texts())[0]?.split('\n\n')[1])

  const verified = await server.verify({ type: 'phone_change', phone, token })

  expect(asked.json()).toMatchObject({ phone: '', new_phone: '491701234567' })
  expect(verified.json().user).toMatchObject({ phone: '491701234567' })
  const signedIn = await server.post('/auth/v1/token?grant_type=password', { phone, password })
  expect(signedIn.statusCode).toBe(200)
})

onBothDatabases('what a sign-in says of itself is listed, and the others can be ended', async (stage) => {
  const server = await start(stage)
  const { userId, email, password } = await server.aMember({ policy: 'remember' })
  stage.advance(minute)
  await server.post('/api/login', { email, password }, { 'user-agent': 'Second' })

  const [latest, first] = await server.provider.listSignIns(userId)
  const ended = await server.provider.endOtherSignIns(userId, latest?.id ?? '')

  expect(latest).toMatchObject({ userAgent: 'Second', policy: 'short', createdAt: stage.now() })
  expect(first).toMatchObject({ policy: 'remember', lastUsedAt: stage.now() - minute })
  expect(ended).toBe(1)
  expect(await server.provider.listSignIns(userId)).toHaveLength(1)
})
