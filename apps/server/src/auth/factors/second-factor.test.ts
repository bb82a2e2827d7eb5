import { secondFactorLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { aCredential, codeIn, datedForm, startAccounts } from '../../testing/account-server.ts'
import { onBothDatabases, type Stage } from '../../testing/databases.ts'
import { appCode } from '../../testing/provider-suite.ts'

const step = secondFactorLimits.codeSeconds * 1000
const minute = 60_000

async function start(stage: Stage) {
  const server = await startAccounts(stage)
  const bearerOf = (session: { access_token: string }) => ({
    authorization: `Bearer ${session.access_token}`,
    ...datedForm,
  })

  async function answer(factorId: string, code: string, bearer: Record<string, string>) {
    const challenge = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, bearer)
    const body = { challenge_id: challenge.json().id, code }
    return server.post(`/auth/v1/factors/${factorId}/verify`, body, bearer)
  }

  /** A member who has set up an app, signed in with it here, and once more with the password alone. */
  async function aGuardedMember() {
    const member = await server.aMember()
    const enrolled = await server.post('/auth/v1/factors', { factor_type: 'totp' }, { ...member.bearer, ...datedForm })
    const { id: factorId, totp } = enrolled.json()
    const code = () => appCode(totp.secret, stage.now())
    const verified = await answer(factorId, code(), { ...member.bearer, ...datedForm })
    stage.advance(step)
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    return {
      ...member,
      factorId,
      secret: totp.secret as string,
      code,
      raised: bearerOf(verified.json()),
      lesser: bearerOf(session),
    }
  }

  return { ...server, bearerOf, answer, aGuardedMember }
}

onBothDatabases('T078 without the second factor nothing is open but what takes it', async (stage) => {
  const server = await start(stage)
  const member = await server.aGuardedMember()

  for (const url of [
    '/api/settings',
    '/api/user-info',
    '/api/account/keys',

    '/api/account/backup-codes',
  ]) {
    const refused = await server.get(url, member.lesser)
    expect([url, refused.statusCode, refused.json().code]).toEqual([url, 403, 'MFA_REQUIRED'])
  }
  expect((await server.get('/api/settings', member.raised)).statusCode).toBe(200)
  expect((await server.get('/auth/v1/user', member.lesser)).json().factors).toMatchObject([{ status: 'verified' }])
  const answered = await server.answer(member.factorId, member.code(), member.lesser)
  expect((await server.get('/api/settings', server.bearerOf(answered.json()))).statusCode).toBe(200)
})

onBothDatabases('T078 refreshing does not lift a sign-in over its second factor', async (stage) => {
  const server = await start(stage)
  const { email, password } = await server.aGuardedMember()
  const { session } = (await server.post('/api/login', { email, password })).json()

  const refreshed = await server.refresh(session.refresh_token)

  expect(refreshed.statusCode).toBe(200)
  expect((await server.get('/api/settings', server.bearerOf(refreshed.json()))).json().code).toBe('MFA_REQUIRED')
})

onBothDatabases('T074 T077 codes of the step before and after are taken, once, and no others', async (stage) => {
  const server = await start(stage)
  const { factorId, secret, raised } = await server.aGuardedMember()
  stage.advance(10 * step)
  const codeAt = (steps: number) => appCode(secret, stage.now() + steps * step)
  const statusOf = async (code: string) => (await server.answer(factorId, code, raised)).statusCode

  expect(await statusOf(codeAt(-2))).toBe(422)
  expect(await statusOf(codeAt(2))).toBe(422)
  expect(await statusOf(codeAt(-1))).toBe(200)
  expect(await statusOf(codeAt(-1))).toBe(422)
  stage.advance(secondFactorLimits.challengeMs)
  expect(await statusOf(codeAt(1))).toBe(200)
  expect(await statusOf(codeAt(0))).toBe(422)
})

onBothDatabases('T075 the sixth wrong code within five minutes is not even looked at', async (stage) => {
  const server = await start(stage)
  const { factorId, code, lesser } = await server.aGuardedMember()
  const wrong = code() === '000000' ? '000001' : '000000'
  const statuses = []
  for (let guess = 0; guess < 5; guess += 1) statuses.push((await server.answer(factorId, wrong, lesser)).statusCode)

  const right = await server.answer(factorId, code(), lesser)
  const onPaper = await server.post('/api/auth/backup-code', { code: 'aaaaa-aaaaa' }, lesser)
  stage.advance(5 * minute)
  const later = await server.answer(factorId, code(), lesser)

  expect(statuses).toEqual([422, 422, 422, 422, 422])
  expect([right.statusCode, right.json().code]).toEqual([429, 'over_request_rate_limit'])
  // Backup codes have a limit of their own, so that guesses at the app do not keep their owner out.
  expect([onPaper.statusCode, onPaper.json().code]).toEqual([400, 'BACKUP_CODE_INVALID'])
  expect(later.statusCode).toBe(200)
})

onBothDatabases('a challenge is good for five minutes and for one answer', async (stage) => {
  const server = await start(stage)
  const { factorId, code, lesser } = await server.aGuardedMember()
  const challenge = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, lesser)
  stage.advance(secondFactorLimits.challengeMs)

  const body = { challenge_id: challenge.json().id, code: code() }
  const late = await server.post(`/auth/v1/factors/${factorId}/verify`, body, lesser)
  const unknown = await server.post(`/auth/v1/factors/${factorId}/verify`, { ...body, challenge_id: 'none' }, lesser)

  expect([late.statusCode, late.json().code]).toEqual([422, 'mfa_challenge_expired'])
  expect([unknown.statusCode, unknown.json().code]).toEqual([422, 'mfa_factor_not_found'])
})

onBothDatabases('nobody answers, or removes, the factor of somebody else', async (stage) => {
  const server = await start(stage)
  const { factorId, code } = await server.aGuardedMember()
  const stranger = await server.aGuardedMember()

  const challenged = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, stranger.raised)
  const answered = await server.answer(factorId, code(), stranger.raised)
  const removed = await server.remove(`/auth/v1/factors/${factorId}`, stranger.raised)

  for (const { statusCode, json } of [challenged, answered, removed]) {
    expect([statusCode, json().code]).toEqual([404, 'mfa_factor_not_found'])
  }
})

onBothDatabases('names and their number keep factors apart, and what was never finished goes', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.aMember()
  const enrol = (friendly_name: string) =>
    server.post('/auth/v1/factors', { factor_type: 'totp', friendly_name }, { ...bearer, ...datedForm })
  for (let factor = 1; factor <= secondFactorLimits.factorsPerAccount; factor += 1) await enrol(`App ${factor}`)

  const tooMany = await enrol('One more')
  stage.advance(secondFactorLimits.unverifiedFactorMs)
  const afterwards = await enrol('App 1')
  const sameName = await enrol('App 1')

  expect(tooMany.json().code).toBe('too_many_enrolled_mfa_factors')
  expect(afterwards.statusCode).toBe(200)
  expect([sameName.statusCode, sameName.json().code]).toEqual([422, 'mfa_factor_name_conflict'])
})

onBothDatabases('a telephone number is a second factor by the code that is sent to it', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.aMember()
  const headers = { ...bearer, ...datedForm }
  const enrolled = await server.post('/auth/v1/factors', { factor_type: 'phone', phone: '+49 170 1234567' }, headers)
  const { id } = enrolled.json()
  const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, { channel: 'sms' }, headers)
  const [message] = await server.texts()
  const answer = (code: string) =>
    server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.json().id, code }, headers)

  const code = codeIn(message?.split('\n\n')[1])
  const guessed = await answer(code === '000000' ? '000001' : '000000')
  const right = await answer(code)

  expect(enrolled.json()).toMatchObject({ type: 'phone', phone: '491701234567' })
  expect([guessed.statusCode, guessed.json().message]).toEqual([422, 'Invalid MFA Phone code entered'])
  expect(right.statusCode).toBe(200)
  expect((await server.get('/api/settings', server.bearerOf(right.json()))).statusCode).toBe(200)
})

onBothDatabases(
  'T080 a backup code stands in for the second factor once, and is kept as a slow hash',
  async (stage) => {
    const server = await start(stage)
    const member = await server.aGuardedMember()
    const made = await server.post('/api/account/backup-codes', {}, member.raised)
    const codes: string[] = made.json().codes
    const [code = '', next = ''] = codes

    const stored = JSON.stringify(await stage.db.selectFrom('backup_codes').selectAll().execute())
    const used = await server.post(
      '/api/auth/backup-code',
      { code: code.toUpperCase().replace('-', ' ') },
      member.lesser,
    )
    const raised = server.bearerOf(used.json().session)
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    const again = await server.post('/api/auth/backup-code', { code }, server.bearerOf(session))
    const left = await server.get('/api/account/backup-codes', raised)

    expect(new Set(codes).size).toBe(secondFactorLimits.backupCodes)
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(code.replace('-', ''))
    expect(used.statusCode).toBe(200)
    expect((await server.get('/api/settings', raised)).statusCode).toBe(200)
    expect([again.statusCode, again.json().code]).toEqual([400, 'BACKUP_CODE_INVALID'])
    expect(left.json().left).toBe(codes.length - 1)
    await server.post('/api/account/backup-codes', {}, raised)
    expect((await server.post('/api/auth/backup-code', { code: next }, server.bearerOf(session))).statusCode).toBe(400)
  },
)

onBothDatabases('backup codes come with a second factor and go with the last one', async (stage) => {
  const server = await start(stage)
  const plain = await server.aMember()
  const member = await server.aGuardedMember()
  await server.post('/api/account/backup-codes', {}, member.raised)

  const refused = await server.post('/api/account/backup-codes', {}, plain.bearer)
  await server.remove(`/auth/v1/factors/${member.factorId}`, member.raised)
  const left = await server.get('/api/account/backup-codes', member.lesser)

  expect([refused.statusCode, refused.json().code]).toEqual([403, 'MFA_REQUIRED'])
  expect(left.json().left).toBe(0)
})

onBothDatabases('T044 the secret of an app is sealed where it lies', async (stage) => {
  const server = await start(stage)
  const { secret, factorId } = await server.aGuardedMember()

  const row = await stage.db.selectFrom('factors').selectAll().executeTakeFirstOrThrow()

  expect(JSON.stringify(row)).not.toContain(secret)
  expect(row.id).toBe(factorId)
  expect(Buffer.from(row.sealed_secret ?? '', 'base64url')).toHaveLength(12 + 20 + 16)
})

onBothDatabases('T057 changing a password with a second factor set up asks for both', async (stage) => {
  const server = await start(stage)
  const { password, raised, lesser } = await server.aGuardedMember()
  const next = aCredential()

  const alone = await server.put('/auth/v1/user', { password: next, current_password: password }, lesser)
  const withoutProof = await server.put('/auth/v1/user', { password: next }, raised)
  const both = await server.put('/auth/v1/user', { password: next, current_password: password }, raised)

  expect([alone.statusCode, alone.json().code]).toEqual([401, 'insufficient_aal'])
  expect([withoutProof.statusCode, withoutProof.json().code]).toEqual([400, 'current_password_required'])
  expect(both.statusCode).toBe(200)
})
