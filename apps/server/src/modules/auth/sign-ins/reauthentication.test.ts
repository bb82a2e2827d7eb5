import { expect } from 'vitest'
import { ifNoneMatch, randomWrappedKey } from '../../../testing/clients/account-keys.ts'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'
import { appCode } from '../../../testing/provider-suite.ts'
import { apiVersionHeader, randomCredential, startAccountServer } from '../../../testing/servers/account-server.ts'

const minute = 60_000
const fiveMinutes = 5 * minute + 1

type ErrorResponse = { statusCode: number; json(): { code?: string } }
const statusAndCode = (response: ErrorResponse) => [response.statusCode, response.json().code]

/** Starts a server and a user whose auth session no longer counts as recently authenticated. */
async function start(stage: Stage, settings = {}) {
  const server = await startAccountServer(stage, settings)
  const member = await server.createMember({ policy: 'remember' })
  const bearer = { ...member.bearer, ...apiVersionHeader }
  await server.put('/api/account/keys', randomWrappedKey(), { ...bearer, ...ifNoneMatch })
  stage.advance(fiveMinutes)
  const reauthenticate = (password: string) => server.post('/api/account/reauthenticate', { password }, bearer)
  const enrol = () => server.post('/auth/v1/factors', { factor_type: 'totp' }, bearer)

  async function confirm({ id, totp }: { id: string; totp: { secret: string } }) {
    const challenge = await server.post(`/auth/v1/factors/${id}/challenge`, {}, bearer)
    const body = { challenge_id: challenge.json().id, code: appCode(totp.secret, stage.now()) }
    const { access_token } = (await server.post(`/auth/v1/factors/${id}/verify`, body, bearer)).json()
    return { ...apiVersionHeader, authorization: `Bearer ${access_token}` }
  }
  return { ...server, member, bearer, reauthenticate, enrol, confirm }
}

onAnyDatabase('T057 an access token alone can neither lock out the owner nor destroy the keys', async (stage) => {
  const server = await start(stage)
  const { bearer, member } = server
  const keys = await server.get('/api/account/keys', bearer)

  const attempts = [
    await server.enrol(),
    await server.post('/api/account/keys/staged', randomWrappedKey(), bearer),
    await server.post('/api/account/keys/commit', { slot: 1 }, bearer),
    await server.get('/api/account/keys/previous', bearer),
    await server.post('/api/account/keys/restore', { id: '11111111-1111-4111-8111-111111111111' }, bearer),
    await server.put('/api/account/recovery-key', { keyVersion: 1, wrappedKey: randomWrappedKey().wrappedKey }, bearer),
    await server.remove('/api/account/recovery-key', bearer),
  ]

  const refused = [403, 'PASSWORD_PROOF_REQUIRED']
  expect(attempts.map(statusAndCode)).toEqual([
    [400, 'reauthentication_needed'],
    ...Array.from({ length: 6 }, () => refused),
  ])
  expect((await server.get('/api/account/keys', bearer)).json()).toEqual(keys.json())
  const { email, password } = member
  const owner = await server.post('/api/login', { email, password })
  expect([owner.statusCode, owner.json().mfa_required ?? false]).toEqual([200, false])
  expect(await server.emails()).toEqual([])
})

onAnyDatabase(
  'T057 the current password allows these changes for 5 minutes, and a wrong one does not',
  async (stage) => {
    const server = await start(stage)

    const wrong = await server.reauthenticate(randomCredential())
    const afterWrong = await server.enrol()
    const right = await server.reauthenticate(server.member.password)
    const afterRight = await server.enrol()
    stage.advance(fiveMinutes)
    const tooLate = await server.enrol()

    expect(statusAndCode(wrong)).toEqual([403, 'PASSWORD_INVALID'])
    expect(statusAndCode(afterWrong)).toEqual([400, 'reauthentication_needed'])
    expect([right.statusCode, right.json().freshForMs]).toEqual([200, 5 * minute])
    expect(afterRight.statusCode).toBe(200)
    expect(statusAndCode(tooLate)).toEqual([400, 'reauthentication_needed'])
  },
)

onAnyDatabase(
  'neither a token refresh nor another session’s reauthentication makes a session recently authenticated',
  async (stage) => {
    const server = await start(stage)
    const { email, password, refreshToken } = server.member
    const { session } = (await server.post('/api/login', { email, password })).json()
    const other = { authorization: `Bearer ${session.access_token}` }

    const elsewhere = await server.post('/api/account/reauthenticate', { password }, other)
    const { access_token } = (await server.refresh(refreshToken)).json()
    const enrolled = await server.post(
      '/auth/v1/factors',
      { factor_type: 'totp' },
      { ...apiVersionHeader, authorization: `Bearer ${access_token}` },
    )

    expect(elsewhere.statusCode).toBe(200)
    expect(statusAndCode(enrolled)).toEqual([400, 'reauthentication_needed'])
  },
)

onAnyDatabase('wrong passwords on reauthentication count like those on sign-in', async (stage) => {
  const server = await start(stage)
  for (let failure = 0; failure < 10; failure += 1) await server.reauthenticate(randomCredential())

  expect(statusAndCode(await server.reauthenticate(server.member.password))).toEqual([429, 'RATE_LIMITED'])
})

onAnyDatabase(
  'an MFA code counts as reauthentication, which new backup codes and removing the factor require',
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
    expect(statusAndCode(staleCodes)).toEqual([403, 'PASSWORD_PROOF_REQUIRED'])
    expect(statusAndCode(staleRemoval)).toEqual([400, 'reauthentication_needed'])
    expect(removal.statusCode).toBe(200)
  },
)

onAnyDatabase('third-party clients without strict mode need no reauthentication', async (stage) => {
  const server = await start(stage, { strict: false })

  expect((await server.enrol()).statusCode).toBe(200)
})
