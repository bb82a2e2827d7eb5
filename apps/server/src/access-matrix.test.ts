import { expect, test } from 'vitest'
import { openDatabase } from './db/open.ts'
import type { Database } from './db/schema.ts'
import { nameOf, type Route, routes } from './testing/fuzz/requests.ts'
import { appCode } from './testing/provider-suite.ts'
import { startWholeServer, type WholeServer } from './testing/whole-server.ts'

type Lack = NonNullable<Route['spec']['without']>[number]

interface Somebody {
  readonly token: string | null
  /** How they are refused everywhere but where the contract lets them in without what they lack. */
  readonly refused: readonly [status: number, code: string]
  readonly lacks?: Lack
}

const sessionExpired = [401, 'SESSION_EXPIRED'] as const
const hour = 3_600_000
const missingId = '01a1fd00-0000-7000-8000-000000000000'
const ofAccounts = routes.filter(({ spec }) => spec.access === 'account')

test('T096 T065 every call for accounts answers everybody who may not make it with the code of the contract', async () => {
  const server = await startWholeServer()
  const { db, close } = await openDatabase({ databaseUrl: undefined, folder: server.folder, onError: () => undefined })
  const everybody = await gather(server, db)

  for (const [who, { token, refused, lacks }] of Object.entries(everybody)) {
    for (const route of ofAccounts) {
      const answer = await ask(server, route, token)
      const mayCall = lacks !== undefined && route.spec.without?.includes(lacks) === true
      const about = `${who}: ${nameOf(route)}`
      if (mayCall) expect(answer, about).not.toEqual(refused)
      else expect(answer, about).toEqual(refused)
    }
  }

  expect(ofAccounts.length).toBeGreaterThan(30)
  expect(Object.keys(everybody)).toHaveLength(8)
  await close()
  await server.stop()
})

test('T096 who is admitted is refused by none of those codes', async () => {
  const server = await startWholeServer()
  const { accessToken } = await server.aMember()

  for (const route of ofAccounts) {
    const [status, code] = await ask(server, route, accessToken)
    expect([401, 402], nameOf(route)).not.toContain(status)
    // Backup codes belong to a second factor, which this member has not.
    if (route.path !== '/api/account/backup-codes') expect(code, nameOf(route)).not.toBe('MFA_REQUIRED')
  }
  await server.stop()
})

/** One of each who may not come in, or not everywhere. */
async function gather(server: WholeServer, db: Database): Promise<Readonly<Record<string, Somebody>>> {
  const { app } = server
  const members = await Promise.all(Array.from({ length: 6 }, server.aMember))
  const [gone, pending, lapsed, banned, deleted, over] = members as [Member, Member, Member, Member, Member, Member]

  await app.inject({ method: 'POST', url: '/auth/v1/logout', headers: bearer(gone.accessToken) })
  const pendingToken = await asPending(server, pending)
  await db
    .updateTable('licences')
    .set({ expires_at: Date.now() - hour })
    .where('user_id', '=', lapsed.userId)
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
    .where('user_id', '=', over.userId)
    .execute()
  // What the server remembers of a sign-in is no older than five seconds.
  for (const { accessToken } of [lapsed, banned, deleted, over]) {
    const status = async () => (await app.inject({ url: '/api/settings', headers: bearer(accessToken) })).statusCode
    await expect.poll(status, { interval: 200 }).not.toBe(200)
  }

  return {
    'a stranger': { token: null, refused: [401, 'NO_TOKEN'] },
    'somebody with a made-up token': { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.', refused: sessionExpired },
    'somebody who signed out': { token: gone.accessToken, refused: sessionExpired },
    'somebody whose sign-in is over': { token: over.accessToken, refused: sessionExpired },
    'somebody who is banned': { token: banned.accessToken, refused: sessionExpired },
    'somebody who was deleted': { token: deleted.accessToken, refused: sessionExpired },
    'somebody whose second factor is pending': {
      token: pendingToken,
      refused: [403, 'MFA_REQUIRED'],
      lacks: 'second-factor',
    },
    'somebody whose licence has ended': {
      token: lapsed.accessToken,
      refused: [402, 'UPGRADE_REQUIRED'],
      lacks: 'licence',
    },
  }
}

type Member = Awaited<ReturnType<WholeServer['aMember']>>

/** Sets up a second factor, and answers the token of a sign-in that has not shown it. */
async function asPending({ app }: WholeServer, { accessToken, email, password }: Member): Promise<string> {
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

async function ask({ app }: WholeServer, { path, spec }: Route, token: string | null): Promise<[number, unknown]> {
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
