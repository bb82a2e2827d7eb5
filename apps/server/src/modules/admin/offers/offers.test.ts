import { expect } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { randomCredential, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

const day = 24 * 3_600_000
const gigabyte = 1024 ** 3

async function startWithAdmin(stage: Stage) {
  const server = await startAccountServer(stage, { billing: 'test' })
  const admin = await server.createMember({ policy: 'remember' })
  await stage.db.insertInto('admins').values({ user_id: admin.userId, since: stage.now() }).execute()
  const create = (body: object = {}) => server.post('/api/admin/magic-link', body, admin.bearer)
  return {
    ...server,
    admin,
    create,
    list: async () => (await server.get('/api/admin/offers', admin.bearer)).json().offers,
    end: (id: string) => server.remove(`/api/admin/offers/${id}`, admin.bearer),
    tokenOf: async (body: object = {}) => (await create(body)).json().magic_link.split('/').at(-1),
    claim: (magicToken: string) =>
      server.post('/api/register-with-magic-link', { email: randomEmail(), password: randomCredential(), magicToken }),
    auditRows: () => stage.db.selectFrom('admin_audit').selectAll().orderBy('seq').execute(),
  }
}

onBothDatabases('ADM-04 ADM-06 ORG-07 an admin creates a magic link, which one account claims', async (stage) => {
  const server = await startWithAdmin(stage)

  const created = await server.create({ license_type: 'vip', description: ' For Mara ', expiry_days: 3 })
  const token = created.json().magic_link.split('/').at(-1)
  const [open] = await server.list()
  const offered = (await server.get(`/api/validate-magic-link/${token}`)).json()
  const first = await server.claim(token)
  const second = await server.claim(token)
  const [claimed] = await server.list()

  expect(created.json()).toEqual({
    success: true,
    magic_link: expect.stringMatching(/^http:\/\/sallyport\.test\/invite\/[\w-]{43}$/),
    expires_at: stage.now() + 3 * day,
  })
  expect(open).toEqual({
    id: expect.any(String),
    kind: 'link',
    state: 'open',
    license_type: 'vip',
    storage_limit_bytes: 50 * gigabyte,
    seats: null,
    description: 'For Mara',
    uses: 1,
    claimed: 0,
    created_at: stage.now(),
    ends_at: stage.now() + 3 * day,
  })
  expect(JSON.stringify(await server.list())).not.toContain(token)
  expect(JSON.stringify(offered)).not.toContain('Mara')
  expect([first.statusCode, second.json().code]).toEqual([200, 'INVITATION_INVALID'])
  expect(claimed).toMatchObject({ state: 'claimed', claimed: 1 })
  expect(await server.auditRows()).toMatchObject([
    { actor_id: server.admin.userId, action: 'offer.create-link', subject_id: open.id, outcome: 'done' },
  ])
  expect(JSON.stringify(await server.auditRows())).not.toContain('Mara')
})

onBothDatabases('ADM-04 a magic link is VIP for 30 days by default, and ends when an admin ends it', async (stage) => {
  const server = await startWithAdmin(stage)
  const [token, other] = [await server.tokenOf(), await server.tokenOf({ license_type: 'business', seats: 7 })]
  const [business, vip] = await server.list()

  const ended = await server.end(vip.id)
  const again = await server.end(vip.id)
  const unknown = await server.end('01a1fd00-0000-7000-8000-000000000000')

  expect(vip).toMatchObject({ license_type: 'vip', ends_at: stage.now() + 30 * day, description: null })
  expect(business).toMatchObject({ license_type: 'business', seats: 7 })
  expect([ended.statusCode, again.statusCode, unknown.json().code]).toEqual([200, 200, 'NOT_FOUND'])
  expect((await server.claim(token)).json().code).toBe('INVITATION_INVALID')
  stage.advance(30 * day)
  expect((await server.claim(other)).json().code).toBe('INVITATION_INVALID')
  expect((await stage.db.selectFrom('licence_claims').selectAll().execute()).length).toBe(0)
})

onBothDatabases('ADM-06 T236 magic links that cannot be created say why, and change nothing', async (stage) => {
  const server = await startWithAdmin(stage)
  const bodies = [
    { license_type: 'trial' },
    { license_type: 'gold' },
    { expiry_days: 0 },
    { expiry_days: 31 },
    { expiry_days: 1.5 },
    { storage_gb: -1 },
    { seats: 0 },
    { description: 'x'.repeat(201) },
  ]
  for (const body of bodies) expect((await server.create(body)).json().code, JSON.stringify(body)).toBe('BAD_REQUEST')

  stage.advance(6 * 60_000)
  expect((await server.create()).json().code).toBe('PASSWORD_PROOF_REQUIRED')
  expect((await server.end('01a1fd00-0000-7000-8000-000000000000')).json().code).toBe('PASSWORD_PROOF_REQUIRED')
  expect(await server.list()).toEqual([])
})

onBothDatabases('ACC-21 a licence key that was ended works no more', async (stage) => {
  const server = await startWithAdmin(stage)
  const terms = { type: 'vip', storageBytes: gigabyte, days: null, seats: null, uses: 2 } as const
  const key = await server.offers.createKey(terms)
  const [offer] = await server.list()
  expect(offer).toMatchObject({ kind: 'key', state: 'open', uses: 2, ends_at: null })
  await server.end(offer.id)
  const body = { email: randomEmail(), password: randomCredential(), licenseKey: key }
  expect((await server.post('/api/register', body)).json().code).toBe('LICENSE_KEY_INVALID')
})
