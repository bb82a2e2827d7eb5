import { mfaLimits } from '@sallyport/contract/limits'
import { expect } from 'vitest'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { appCode } from '../../../testing/provider-suite.ts'
import {
  apiVersionHeader,
  codeIn,
  randomCredential,
  startAccountServer,
} from '../../../testing/servers/account-server.ts'

const step = mfaLimits.codeSeconds * 1000
const minute = 60_000

async function start(stage: Stage) {
  const server = await startAccountServer(stage)
  const bearerOf = (session: { access_token: string }) => ({
    authorization: `Bearer ${session.access_token}`,
    ...apiVersionHeader,
  })

  async function verifyCode(factorId: string, code: string, bearer: Record<string, string>) {
    const challenge = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, bearer)
    const body = { challenge_id: challenge.json().id, code }
    return server.post(`/auth/v1/factors/${factorId}/verify`, body, bearer)
  }

  /** Creates a user with an authenticator app, one auth session that has used it and one with the password only. */
  async function createMfaMember() {
    const member = await server.createMember()
    const enrolled = await server.post(
      '/auth/v1/factors',
      { factor_type: 'totp' },
      { ...member.bearer, ...apiVersionHeader },
    )
    const { id: factorId, totp } = enrolled.json()
    const code = () => appCode(totp.secret, stage.now())
    const verified = await verifyCode(factorId, code(), { ...member.bearer, ...apiVersionHeader })
    stage.advance(step)
    const { email, password } = member
    const { session } = (await server.post('/api/login', { email, password })).json()
    return {
      ...member,
      factorId,
      secret: totp.secret as string,
      code,
      aal2Bearer: bearerOf(verified.json()),
      aal1Bearer: bearerOf(session),
    }
  }

  return { ...server, bearerOf, verifyCode, createMfaMember }
}

onAnyDatabase('T078 without the second factor only the endpoints that verify it are accessible', async (stage) => {
  const server = await start(stage)
  const member = await server.createMfaMember()

  for (const url of [
    '/api/settings',
    '/api/user-info',
    '/api/account/keys',

    '/api/account/backup-codes',
  ]) {
    const refused = await server.get(url, member.aal1Bearer)
    expect([url, refused.statusCode, refused.json().code]).toEqual([url, 403, 'MFA_REQUIRED'])
  }
  expect((await server.get('/api/settings', member.aal2Bearer)).statusCode).toBe(200)
  expect((await server.get('/auth/v1/user', member.aal1Bearer)).json().factors).toMatchObject([{ status: 'verified' }])
  const answered = await server.verifyCode(member.factorId, member.code(), member.aal1Bearer)
  expect((await server.get('/api/settings', server.bearerOf(answered.json()))).statusCode).toBe(200)
})

onAnyDatabase('T078 refreshing does not bypass the second factor', async (stage) => {
  const server = await start(stage)
  const { email, password } = await server.createMfaMember()
  const { session } = (await server.post('/api/login', { email, password })).json()

  const refreshed = await server.refresh(session.refresh_token)

  expect(refreshed.statusCode).toBe(200)
  expect((await server.get('/api/settings', server.bearerOf(refreshed.json()))).json().code).toBe('MFA_REQUIRED')
})

onAnyDatabase(
  'T074 T077 codes of the previous and the next time step are accepted once, and no others',
  async (stage) => {
    const server = await start(stage)
    const { factorId, secret, aal2Bearer } = await server.createMfaMember()
    stage.advance(10 * step)
    const codeAt = (steps: number) => appCode(secret, stage.now() + steps * step)
    const statusOf = async (code: string) => (await server.verifyCode(factorId, code, aal2Bearer)).statusCode

    expect(await statusOf(codeAt(-2))).toBe(422)
    expect(await statusOf(codeAt(2))).toBe(422)
    expect(await statusOf(codeAt(-1))).toBe(200)
    expect(await statusOf(codeAt(-1))).toBe(422)
    stage.advance(mfaLimits.challengeMs)
    expect(await statusOf(codeAt(1))).toBe(200)
    expect(await statusOf(codeAt(0))).toBe(422)
  },
)

onAnyDatabase('T075 the 6th code after 5 wrong ones within 5 minutes is rejected unchecked', async (stage) => {
  const server = await start(stage)
  const { factorId, code, aal1Bearer } = await server.createMfaMember()
  const wrong = code() === '000000' ? '000001' : '000000'
  const statuses = []
  for (let guess = 0; guess < 5; guess += 1)
    statuses.push((await server.verifyCode(factorId, wrong, aal1Bearer)).statusCode)

  const right = await server.verifyCode(factorId, code(), aal1Bearer)
  const backupCode = await server.post('/api/auth/backup-code', { code: 'aaaaa-aaaaa' }, aal1Bearer)
  stage.advance(5 * minute)
  const later = await server.verifyCode(factorId, code(), aal1Bearer)

  expect(statuses).toEqual([422, 422, 422, 422, 422])
  expect([right.statusCode, right.json().code]).toEqual([429, 'over_request_rate_limit'])
  // Backup codes have a limit of their own, so wrong authenticator codes do not lock out the owner.
  expect([backupCode.statusCode, backupCode.json().code]).toEqual([400, 'BACKUP_CODE_INVALID'])
  expect(later.statusCode).toBe(200)
})

onAnyDatabase('a challenge is valid for 5 minutes and for one attempt', async (stage) => {
  const server = await start(stage)
  const { factorId, code, aal1Bearer } = await server.createMfaMember()
  const challenge = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, aal1Bearer)
  stage.advance(mfaLimits.challengeMs)

  const body = { challenge_id: challenge.json().id, code: code() }
  const late = await server.post(`/auth/v1/factors/${factorId}/verify`, body, aal1Bearer)
  const unknown = await server.post(
    `/auth/v1/factors/${factorId}/verify`,
    { ...body, challenge_id: 'none' },
    aal1Bearer,
  )

  expect([late.statusCode, late.json().code]).toEqual([422, 'mfa_challenge_expired'])
  expect([unknown.statusCode, unknown.json().code]).toEqual([422, 'mfa_factor_not_found'])
})

onAnyDatabase("another user's factor can be neither verified nor removed", async (stage) => {
  const server = await start(stage)
  const { factorId, code } = await server.createMfaMember()
  const stranger = await server.createMfaMember()

  const challenged = await server.post(`/auth/v1/factors/${factorId}/challenge`, {}, stranger.aal2Bearer)
  const answered = await server.verifyCode(factorId, code(), stranger.aal2Bearer)
  const removed = await server.remove(`/auth/v1/factors/${factorId}`, stranger.aal2Bearer)

  for (const { statusCode, json } of [challenged, answered, removed]) {
    expect([statusCode, json().code]).toEqual([404, 'mfa_factor_not_found'])
  }
})

onAnyDatabase('factors have unique names and a maximum number, and unverified ones expire', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.createMember()
  const enrol = (friendly_name: string) =>
    server.post('/auth/v1/factors', { factor_type: 'totp', friendly_name }, { ...bearer, ...apiVersionHeader })
  for (let factor = 1; factor <= mfaLimits.factorsPerAccount; factor += 1) await enrol(`App ${factor}`)

  const tooMany = await enrol('One more')
  stage.advance(mfaLimits.unverifiedFactorMs)
  const afterwards = await enrol('App 1')
  const sameName = await enrol('App 1')

  expect(tooMany.json().code).toBe('too_many_enrolled_mfa_factors')
  expect(afterwards.statusCode).toBe(200)
  expect([sameName.statusCode, sameName.json().code]).toEqual([422, 'mfa_factor_name_conflict'])
})

onAnyDatabase('a phone number is a second factor through a texted code', async (stage) => {
  const server = await start(stage)
  const { bearer } = await server.createMember()
  const headers = { ...bearer, ...apiVersionHeader }
  const enrolled = await server.post('/auth/v1/factors', { factor_type: 'phone', phone: '+49 170 1234567' }, headers)
  const { id } = enrolled.json()
  const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, { channel: 'sms' }, headers)
  const [message] = await server.textMessages()
  const verifyCode = (code: string) =>
    server.post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.json().id, code }, headers)

  const code = codeIn(message?.split('\n\n')[1])
  const guessed = await verifyCode(code === '000000' ? '000001' : '000000')
  const right = await verifyCode(code)

  expect(enrolled.json()).toMatchObject({ type: 'phone', phone: '491701234567' })
  expect([guessed.statusCode, guessed.json().message]).toEqual([422, 'Invalid MFA Phone code entered'])
  expect(right.statusCode).toBe(200)
  expect((await server.get('/api/settings', server.bearerOf(right.json()))).statusCode).toBe(200)
})

onAnyDatabase('T080 a backup code replaces the second factor once, and is stored as a hash', async (stage) => {
  const server = await start(stage)
  const member = await server.createMfaMember()
  const generated = await server.post('/api/account/backup-codes', {}, member.aal2Bearer)
  const codes: string[] = generated.json().codes
  const [code = '', next = ''] = codes

  const stored = JSON.stringify(await stage.db.selectFrom('backup_codes').selectAll().execute())
  const used = await server.post(
    '/api/auth/backup-code',
    { code: code.toUpperCase().replace('-', ' ') },
    member.aal1Bearer,
  )
  const aal2Bearer = server.bearerOf(used.json().session)
  const { email, password } = member
  const { session } = (await server.post('/api/login', { email, password })).json()
  const again = await server.post('/api/auth/backup-code', { code }, server.bearerOf(session))
  const remaining = await server.get('/api/account/backup-codes', aal2Bearer)

  expect(new Set(codes).size).toBe(mfaLimits.backupCodes)
  expect(stored).not.toContain(code)
  expect(stored).not.toContain(code.replace('-', ''))
  expect(used.statusCode).toBe(200)
  expect((await server.get('/api/settings', aal2Bearer)).statusCode).toBe(200)
  expect([again.statusCode, again.json().code]).toEqual([400, 'BACKUP_CODE_INVALID'])
  expect(remaining.json().left).toBe(codes.length - 1)
  await server.post('/api/account/backup-codes', {}, aal2Bearer)
  expect((await server.post('/api/auth/backup-code', { code: next }, server.bearerOf(session))).statusCode).toBe(400)
})

onAnyDatabase('backup codes require a second factor and are removed with the last one', async (stage) => {
  const server = await start(stage)
  const plain = await server.createMember()
  const member = await server.createMfaMember()
  await server.post('/api/account/backup-codes', {}, member.aal2Bearer)

  const refused = await server.post('/api/account/backup-codes', {}, plain.bearer)
  await server.remove(`/auth/v1/factors/${member.factorId}`, member.aal2Bearer)
  const remaining = await server.get('/api/account/backup-codes', member.aal1Bearer)

  expect([refused.statusCode, refused.json().code]).toEqual([403, 'MFA_REQUIRED'])
  expect(remaining.json().left).toBe(0)
})

onAnyDatabase('T044 the secret of an authenticator app is sealed in the database', async (stage) => {
  const server = await start(stage)
  const { secret, factorId } = await server.createMfaMember()

  const row = await stage.db.selectFrom('factors').selectAll().executeTakeFirstOrThrow()

  expect(JSON.stringify(row)).not.toContain(secret)
  expect(row.id).toBe(factorId)
  expect(Buffer.from(row.sealed_secret ?? '', 'base64url')).toHaveLength(12 + 20 + 16)
})

onAnyDatabase(
  'T057 changing the password of an account with MFA requires the password and the second factor',
  async (stage) => {
    const server = await start(stage)
    const { password, aal2Bearer, aal1Bearer } = await server.createMfaMember()
    const next = randomCredential()

    const withoutMfa = await server.put('/auth/v1/user', { password: next, current_password: password }, aal1Bearer)
    const withoutProof = await server.put('/auth/v1/user', { password: next }, aal2Bearer)
    const both = await server.put('/auth/v1/user', { password: next, current_password: password }, aal2Bearer)

    expect([withoutMfa.statusCode, withoutMfa.json().code]).toEqual([401, 'insufficient_aal'])
    expect([withoutProof.statusCode, withoutProof.json().code]).toEqual([400, 'current_password_required'])
    expect(both.statusCode).toBe(200)
  },
)
