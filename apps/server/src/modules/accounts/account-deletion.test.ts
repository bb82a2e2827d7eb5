import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { onBothDatabases } from '../../testing/engines/databases.ts'
import { randomCredential, startAccountServer } from '../../testing/servers/account-server.ts'

const hour = 3_600_000

onBothDatabases(
  'an account is deleted with its keys and auth sessions, and its address is free again',
  async (stage) => {
    const server = await startAccountServer(stage)
    const { bearer, email, password, userId } = await server.createMember()
    const { bearer: otherBearer } = await server.createMember()
    const key = { keyVersion: 1, profile: 2, wrappedKey: randomBytes(60).toString('base64url') }
    await server.put('/api/account/keys', key, { ...bearer, 'if-none-match': '*' })

    const deleted = await server.remove('/api/account', bearer)

    expect(deleted.json()).toEqual({ success: true })
    expect((await server.emails()).map(({ to, subject }) => [to?.[0]?.address, subject]).at(-1)).toEqual([
      email,
      'Your account was deleted',
    ])
    expect((await server.get('/api/user-info', bearer)).statusCode).toBe(401)
    expect((await server.post('/api/login', { email, password })).json().code).toBe('INVALID_CREDENTIALS')
    for (const table of ['users', 'licences', 'storage_use', 'account_keys', 'sign_ins', 'account_salts'] as const) {
      const rows = await stage.db.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows), table).not.toContain(userId)
    }
    expect((await server.get('/api/user-info', otherBearer)).statusCode).toBe(200)
    expect((await server.post('/api/register', { email, password: randomCredential() })).statusCode).toBe(200)
  },
)

onBothDatabases('deleting an account requires that its password was verified a short time ago', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer, password } = await server.createMember()
  stage.advance(hour)

  const early = await server.remove('/api/account', bearer)
  const wrong = await server.post('/api/account/reauthenticate', { password: randomCredential() }, bearer)
  const afterWrong = await server.remove('/api/account', bearer)
  await server.post('/api/account/reauthenticate', { password }, bearer)
  const late = await server.remove('/api/account', bearer)

  expect([early.statusCode, early.json().code]).toEqual([403, 'PASSWORD_PROOF_REQUIRED'])
  expect(wrong.json().code).toBe('PASSWORD_INVALID')
  expect(afterWrong.json().code).toBe('PASSWORD_PROOF_REQUIRED')
  expect(late.json()).toEqual({ success: true })
  expect((await server.remove('/api/account', {})).statusCode).toBe(401)
})

onBothDatabases('T229 the last admin cannot delete their account while others have one', async (stage) => {
  const server = await startAccountServer(stage)
  const admin = await server.createMember()
  await stage.db.insertInto('admins').values({ user_id: admin.userId, since: stage.now() }).execute()
  const other = await server.createMember()

  const refused = await server.remove('/api/account', admin.bearer)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'LAST_ADMIN'])
  expect((await server.get('/api/admin/status', admin.bearer)).json().is_admin).toBe(true)

  expect((await server.remove('/api/account', other.bearer)).statusCode).toBe(200)
  expect((await server.remove('/api/account', admin.bearer)).statusCode).toBe(200)
})
