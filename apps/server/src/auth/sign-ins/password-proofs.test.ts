import { expect } from 'vitest'
import { aWrappedKey, ifNone } from '../../testing/account-keys.ts'
import { aCredential, datedForm, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'

const minute = 60_000
const fiveMinutes = 5 * minute + 1

type Answer = { statusCode: number; json(): { code?: string } }
const told = (answer: Answer) => [answer.statusCode, answer.json().code]

/** A member whose sign-in is old enough that its token alone proves nothing more. */
async function start(stage: Stage, settings = {}) {
  const server = await startAccounts(stage, settings)
  const member = await server.aMember({ policy: 'remember' })
  const bearer = { ...member.bearer, ...datedForm }
  await server.put('/api/account/keys', aWrappedKey(), { ...bearer, ...ifNone })
  stage.advance(fiveMinutes)
  const reauthenticate = (password: string) => server.post('/api/account/reauthenticate', { password }, bearer)
  const enrol = () => server.post('/auth/v1/factors', { factor_type: 'totp' }, bearer)

  async function confirm({ id, totp }: { id: string; totp: { secret: string } }) {
    const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
    const shown = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
    const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, shown, bearer)).json()
    return { ...datedForm, authorization: `Bearer ${access_token}` }
  }
  return { ...server, member, bearer, reauthenticate, enrol, confirm }
}

onBothDatabases('T057 with an access token alone nobody keeps the owner out or destroys the keys', async (stage) => {
  const server = await start(stage)
  const { bearer, member } = server
  const keys = await server.get('/api/account/keys', bearer)

  const attempts = [
    await server.enrol(),
    await server.post('/api/account/keys/staged', aWrappedKey(), bearer),
    await server.post('/api/account/keys/commit', { slot: 1 }, bearer),
    await server.get('/api/account/keys/previous', bearer),
    await server.post('/api/account/keys/restore', { id: '11111111-1111-4111-8111-111111111111' }, bearer),
    await server.put('/api/account/recovery-key', { keyVersion: 1, wrappedKey: aWrappedKey().wrappedKey }, bearer),
    await server.remove('/api/account/recovery-key', bearer),
  ]

  const refused = [403, 'PASSWORD_PROOF_REQUIRED']
  expect(attempts.map(told)).toEqual([[400, 'reauthentication_needed'], ...Array.from({ length: 6 }, () => refused)])
  expect((await server.get('/api/account/keys', bearer)).json()).toEqual(keys.json())
  const { email, password } = member
  const owner = await server.post('/api/login', { email, password })
  expect([owner.statusCode, owner.json().mfa_required ?? false]).toEqual([200, false])
  expect(await server.letters()).toEqual([])
})

onBothDatabases(
  'T057 the current password opens these changes for five minutes, and a wrong one does not',
  async (stage) => {
    const server = await start(stage)

    const wrong = await server.reauthenticate(aCredential())
    const afterWrong = await server.enrol()
    const right = await server.reauthenticate(server.member.password)
    const afterRight = await server.enrol()
    stage.advance(fiveMinutes)
    const tooLate = await server.enrol()

    expect(told(wrong)).toEqual([403, 'PASSWORD_INVALID'])
    expect(told(afterWrong)).toEqual([400, 'reauthentication_needed'])
    expect([right.statusCode, right.json().freshForMs]).toEqual([200, 5 * minute])
    expect(afterRight.statusCode).toBe(200)
    expect(told(tooLate)).toEqual([400, 'reauthentication_needed'])
  },
)

onBothDatabases('refreshing a token or a proof in another sign-in does not make this one fresh', async (stage) => {
  const server = await start(stage)
  const { email, password, refreshToken } = server.member
  const { session } = (await server.post('/api/login', { email, password })).json()
  const other = { authorization: `Bearer ${session.access_token}` }

  const elsewhere = await server.post('/api/account/reauthenticate', { password }, other)
  const { access_token } = (await server.refresh(refreshToken)).json()
  const enrolled = await server.post(
    '/auth/v1/factors',
    { factor_type: 'totp' },
    { ...datedForm, authorization: `Bearer ${access_token}` },
  )

  expect(elsewhere.statusCode).toBe(200)
  expect(told(enrolled)).toEqual([400, 'reauthentication_needed'])
})

onBothDatabases('guessing the password here counts like guessing it when signing in', async (stage) => {
  const server = await start(stage)
  for (let failure = 0; failure < 10; failure += 1) await server.reauthenticate(aCredential())

  expect(told(await server.reauthenticate(server.member.password))).toEqual([429, 'RATE_LIMITED'])
})

onBothDatabases(
  'a code of the second factor is a fresh proof; removing the factor and new codes need one',
  async (stage) => {
    const server = await start(stage)
    await server.reauthenticate(server.member.password)
    const factor = (await server.enrol()).json()
    stage.advance(4 * minute)
    const raised = await server.confirm(factor)
    stage.advance(2 * minute)

    const codes = await server.post('/api/account/backup-codes', {}, raised)
    stage.advance(fiveMinutes)
    const staleCodes = await server.post('/api/account/backup-codes', {}, raised)
    const staleRemoval = await server.remove(`/auth/v1/factors/${factor.id}`, raised)
    await server.post('/api/account/reauthenticate', { password: server.member.password }, raised)
    const removal = await server.remove(`/auth/v1/factors/${factor.id}`, raised)

    expect(codes.statusCode).toBe(200)
    expect(told(staleCodes)).toEqual([403, 'PASSWORD_PROOF_REQUIRED'])
    expect(told(staleRemoval)).toEqual([400, 'reauthentication_needed'])
    expect(removal.statusCode).toBe(200)
  },
)

onBothDatabases('foreign clients, which know no such step, are not asked for a proof', async (stage) => {
  const server = await start(stage, { strict: false })

  expect((await server.enrol()).statusCode).toBe(200)
})
