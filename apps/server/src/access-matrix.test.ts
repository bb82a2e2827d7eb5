import { expect, test } from 'vitest'
import { openDatabase } from './platform/db/open.ts'
import type { Database } from './platform/db/schema.ts'
import { nameOf, type Route, routes } from './testing/fuzz/requests.ts'
import { appCode } from './testing/provider-suite.ts'
import { startWholeServer, type WholeServer } from './testing/servers/whole-server.ts'

type MissingRequirement = NonNullable<Route['spec']['allowWithout']>[number]

interface UnauthorizedCaller {
  readonly token: string | null
  /** The error outside of the endpoints that the contract opens to callers who lack this. */
  readonly expectedError: readonly [status: number, code: string]
  readonly missing?: MissingRequirement
}

const sessionExpired = [401, 'SESSION_EXPIRED'] as const
const hour = 3_600_000
const missingId = '01a1fd00-0000-7000-8000-000000000000'
const isDeletion = ({ spec, path }: Route): boolean => spec.method === 'DELETE' && path === '/api/account'
/** The deletion of the account comes last, because it ends what the other requests need. */
const accountRoutes = routes
  .filter(({ spec }) => spec.access === 'account' || spec.access === 'admin')
  .toSorted((one, other) => Number(isDeletion(one)) - Number(isDeletion(other)))

test('T096 T065 every account endpoint responds to unauthorized callers with the error code of the contract', async () => {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const callers = await createCallers(server, db)

  for (const [label, { token, expectedError, missing }] of Object.entries(callers)) {
    for (const route of accountRoutes) {
      const answer = await sendRequest(server, route, token)
      const mayCall = missing !== undefined && route.spec.allowWithout?.includes(missing) === true
      const message = `${label}: ${nameOf(route)}`
      if (mayCall) expect(answer, message).not.toEqual(expectedError)
      else expect(answer, message).toEqual(expectedError)
    }
  }

  expect(accountRoutes.length).toBeGreaterThan(30)
  expect(Object.keys(callers)).toHaveLength(8)
  await close()
  await server.stop()
})

test('T096 authorized callers get none of those errors', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.createMember()

  for (const route of accountRoutes) {
    const [status, code] = await sendRequest(server, route, accessToken)
    expect([401, 402], nameOf(route)).not.toContain(status)
    if (route.spec.access === 'admin') expect(code, nameOf(route)).toBe('FORBIDDEN')
    // Backup codes require two-factor authentication, which this member does not have.
    if (route.path !== '/api/account/backup-codes') expect(code, nameOf(route)).not.toBe('MFA_REQUIRED')
  }
  await server.stop()
})

test('T096 T231 every admin endpoint accepts an admin, and nobody who was one', async () => {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const [admin, demoted, signedOut] = await Promise.all([
    server.createMember(),
    server.createMember(),
    server.createMember(),
  ])
  for (const { userId } of [admin, demoted, signedOut])
    await db.insertInto('admins').values({ user_id: userId, since: 0 }).execute()
  const adminRoutes = accountRoutes.filter(({ spec }) => spec.access === 'admin')
  const codesFor = async (token: string) =>
    new Set(await Promise.all(adminRoutes.map(async (route) => (await sendRequest(server, route, token))[1])))

  const [asAdmin, beforeDemotion] = [await codesFor(admin.accessToken), await codesFor(demoted.accessToken)]
  await db.deleteFrom('admins').where('user_id', '=', demoted.userId).execute()
  await server.app.inject({ method: 'POST', url: '/auth/v1/logout', headers: bearer(signedOut.accessToken) })

  // The list succeeds, the account of the others does not exist, two bodies are not valid, and no backups are set up or run.
  expect(asAdmin).toEqual(
    new Set([undefined, 'NOT_FOUND', 'BAD_REQUEST', 'BACKUP_NOT_CONFIGURED', 'BACKUP_NOT_RUNNING']),
  )
  expect(beforeDemotion).toEqual(asAdmin)
  expect(await codesFor(demoted.accessToken)).toEqual(new Set(['FORBIDDEN']))
  expect(await codesFor(signedOut.accessToken)).toEqual(new Set(['SESSION_EXPIRED']))
  expect(adminRoutes.length).toBeGreaterThanOrEqual(11)
  await close()
  await server.stop()
})

/** Creates one caller for each kind of missing authorization. */
async function createCallers(server: WholeServer, db: Database): Promise<Readonly<Record<string, UnauthorizedCaller>>> {
  const { app } = server
  const members = await Promise.all(Array.from({ length: 6 }, server.createMember))
  const [signedOut, pending, expired, banned, deleted, ended] = members as [
    Member,
    Member,
    Member,
    Member,
    Member,
    Member,
  ]

  await app.inject({ method: 'POST', url: '/auth/v1/logout', headers: bearer(signedOut.accessToken) })
  const pendingToken = await createPendingToken(server, pending)
  await db
    .updateTable('licences')
    .set({ expires_at: Date.now() - hour })
    .where('user_id', '=', expired.userId)
    .execute()
  await db
    .updateTable('users')
    .set({ banned_until: Date.now() + hour })
    .where('id', '=', banned.userId)
    .execute()
  await db.deleteFrom('users').where('id', '=', deleted.userId).execute()
  await db
    .updateTable('sign_ins')
    .set({ not_after: Date.now() - 1 })
    .where('user_id', '=', ended.userId)
    .execute()
  // The server caches an auth session for up to 5 seconds.
  for (const { accessToken } of [expired, banned, deleted, ended]) {
    const status = async () => (await app.inject({ url: '/api/settings', headers: bearer(accessToken) })).statusCode
    await expect.poll(status, { interval: 200 }).not.toBe(200)
  }

  return {
    'an anonymous caller': { token: null, expectedError: [401, 'NO_TOKEN'] },
    'a caller with a forged token': { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.', expectedError: sessionExpired },
    'a user who signed out': { token: signedOut.accessToken, expectedError: sessionExpired },
    'a user whose auth session has expired': { token: ended.accessToken, expectedError: sessionExpired },
    'a banned user': { token: banned.accessToken, expectedError: sessionExpired },
    'a deleted user': { token: deleted.accessToken, expectedError: sessionExpired },
    'a user with pending two-factor authentication': {
      token: pendingToken,
      expectedError: [403, 'MFA_REQUIRED'],
      missing: 'second-factor',
    },
    'a user whose licence has expired': {
      token: expired.accessToken,
      expectedError: [402, 'UPGRADE_REQUIRED'],
      missing: 'licence',
    },
  }
}

type Member = Awaited<ReturnType<WholeServer['createMember']>>

/** Enables two-factor authentication and returns the token of an auth session that has not completed it. */
async function createPendingToken({ app }: WholeServer, { accessToken, email, password }: Member): Promise<string> {
  const post = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, payload, headers: bearer(accessToken) })).json()
  const { id, totp } = await post('/auth/v1/factors', { factor_type: 'totp' })
  const challenge = await post(`/auth/v1/factors/${id}/challenge`, {})
  const code = appCode(totp.secret)
  await post(`/auth/v1/factors/${id}/verify`, { challenge_id: challenge.id, code })
  const { session } = await post('/api/login', { email, password })
  return session.access_token
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function sendRequest(
  { app }: WholeServer,
  { path, spec }: Route,
  token: string | null,
): Promise<[number, unknown]> {
  const takesBytes = spec.body !== undefined && 'kind' in spec.body
  const { statusCode, body, headers } = await app.inject({
    method: spec.method,
    url: path.replace(/:[a-zA-Z]+/, missingId),
    headers: {
      ...(takesBytes && { 'content-type': 'application/octet-stream' }),
      ...(token !== null && bearer(token)),
    },
    ...(takesBytes ? { payload: Buffer.alloc(28) } : spec.body && { payload: {} }),
  })
  const isJson = String(headers['content-type']).startsWith('application/json')
  return [statusCode, isJson && body !== '' ? JSON.parse(body).code : undefined]
}
