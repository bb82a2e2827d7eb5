import type { EndpointSpec } from '@sallyport/contract/endpoint'
import { expect, test } from 'vitest'
import { createApp } from './platform/http/app.ts'
import { createLogger } from './platform/http/logger.ts'
import { sealFile } from './testing/clients/sealed-file.ts'
import { createSealedMessage } from './testing/clients/sealed-message.ts'
import { nameOf, type Route, routes } from './testing/fuzz/requests.ts'
import { startWholeServer, type WholeServer } from './testing/servers/whole-server.ts'

/** Every route and its access. New routes have to be added here by hand. */
const accessOf: Readonly<
  Record<string, 'anyone' | 'account' | 'admin' | 'operator' | 'ticket' | 'machine' | 'link' | 'page'>
> = {
  'DELETE /api/account': 'account',
  'DELETE /api/account/recovery-key': 'account',
  'DELETE /api/account/sign-ins': 'account',
  'DELETE /api/account/sign-ins/:id': 'account',
  'DELETE /api/admin/offers/:id': 'admin',
  'DELETE /api/admin/users/:id': 'admin',
  'DELETE /api/device-unlock': 'account',
  'DELETE /api/file/:id': 'account',
  'DELETE /api/file/:id/share': 'account',
  'DELETE /api/files': 'account',
  'DELETE /api/lost-files': 'account',
  'DELETE /api/messages': 'account',
  'DELETE /api/messages/:id': 'account',
  'DELETE /api/organization/clear-invitations': 'account',
  'DELETE /api/organization/invitation/:id': 'account',
  'DELETE /api/organization/member/:userId': 'account',
  'DELETE /api/sessions/:id/participants/:participantId': 'anyone',
  'DELETE /api/sessions/:id/uploads/:uploadId': 'anyone',
  'DELETE /api/sessions/files/:fileId': 'anyone',
  'DELETE /api/uploads/:uploadId': 'account',
  'DELETE /auth/v1/admin/users/:id': 'anyone',
  'DELETE /auth/v1/admin/users/:id/factors/:factorId': 'anyone',
  'DELETE /auth/v1/factors/:id': 'anyone',
  'DELETE /auth/v1/user/identities/:id': 'anyone',
  'GET /.well-known/security.txt': 'page',
  'GET /api/account/activity': 'account',
  'GET /api/account/backup-codes': 'account',
  'GET /api/account/keys': 'account',
  'GET /api/account/keys/previous': 'account',
  'GET /api/account/sign-in-history': 'account',
  'GET /api/account/sign-ins': 'account',
  'GET /api/admin/analytics': 'admin',
  'GET /api/admin/audit': 'admin',
  'GET /api/admin/backup': 'admin',
  'GET /api/admin/offers': 'admin',
  'GET /api/admin/security': 'admin',
  'GET /api/admin/stats': 'admin',
  'GET /api/admin/status': 'account',
  'GET /api/admin/users': 'admin',
  'GET /api/admin/users/:id/detailed': 'admin',
  'GET /api/admin/users/:id/subscription': 'admin',
  'GET /api/admin/volumes': 'admin',
  'GET /api/billing/test-checkouts/:id': 'anyone',
  'GET /api/config': 'anyone',
  'GET /api/device-unlock': 'account',
  'GET /api/download-all': 'account',
  'GET /api/download/:id': 'account',
  'GET /api/file/:id/key': 'account',
  'GET /api/files': 'account',
  'GET /api/live': 'ticket',
  'GET /api/messages': 'account',
  'GET /api/messages/page': 'account',
  'GET /api/openapi.json': 'anyone',
  'GET /api/organization/dashboard': 'account',
  'GET /api/organization/membership': 'account',
  'GET /api/organization/validate-invite/:token': 'anyone',
  'GET /api/portal-relay': 'ticket',
  'GET /api/portals/settings': 'anyone',
  'GET /api/sessions/:id': 'anyone',
  'GET /api/sessions/:id/admit': 'anyone',
  'GET /api/sessions/:id/files': 'anyone',
  'GET /api/sessions/:id/messages': 'anyone',
  'GET /api/sessions/:id/uploads/:uploadId': 'anyone',
  'GET /api/sessions/files/:fileId': 'anyone',
  'GET /api/sessions/files/:fileId/download': 'anyone',
  'GET /api/settings': 'account',
  'GET /api/share/:token': 'anyone',
  'GET /api/subscription/info': 'account',
  'GET /api/uploads': 'account',
  'GET /api/uploads/:uploadId': 'account',
  'GET /api/user-info': 'account',
  'GET /api/validate-magic-link/:token': 'anyone',
  'GET /api/webrtc-signal': 'ticket',
  'GET /api/ws-upload': 'ticket',
  'GET /auth/v1/.well-known/jwks.json': 'anyone',
  'GET /auth/v1/admin/users': 'anyone',
  'GET /auth/v1/admin/users/:id': 'anyone',
  'GET /auth/v1/admin/users/:id/factors': 'anyone',
  'GET /auth/v1/authorize': 'anyone',
  'GET /auth/v1/health': 'anyone',
  'GET /auth/v1/reauthenticate': 'anyone',
  'GET /auth/v1/settings': 'anyone',
  'GET /auth/v1/user': 'anyone',
  'GET /auth/v1/user/identities/authorize': 'anyone',
  'GET /auth/v1/verify': 'link',
  'GET /dev/outbox': 'machine',
  'GET /healthz': 'anyone',
  'GET /metrics': 'operator',
  'GET /readyz': 'anyone',
  'HEAD /.well-known/security.txt': 'page',
  'HEAD /api/share/:token': 'anyone',
  'HEAD /api/status': 'anyone',
  'HEAD /api/upload': 'anyone',
  'HEAD /auth/v1/verify': 'link',
  'PATCH /api/file/:id': 'account',
  'POST /api/account/backup-codes': 'account',
  'POST /api/account/keys/commit': 'account',
  'POST /api/account/keys/restore': 'account',
  'POST /api/account/keys/staged': 'account',
  'POST /api/account/reauthenticate': 'account',
  'POST /api/admin/backup': 'admin',
  'POST /api/admin/backup/stop': 'admin',
  'POST /api/admin/cleanup': 'admin',
  'POST /api/admin/confirm-clock': 'admin',
  'POST /api/admin/magic-link': 'admin',
  'POST /api/admin/users/:id/ban': 'admin',
  'POST /api/admin/users/:id/cancel-subscription': 'admin',
  'POST /api/admin/users/:id/demote': 'admin',
  'POST /api/admin/users/:id/extend-subscription': 'admin',
  'POST /api/admin/users/:id/promote': 'admin',
  'POST /api/admin/users/:id/sign-out': 'admin',
  'POST /api/admin/users/:id/sync-subscription': 'admin',
  'POST /api/admin/users/:id/unban': 'admin',
  'POST /api/auth/backup-code': 'account',
  'POST /api/auth/prelogin': 'anyone',
  'POST /api/billing/test-checkouts/:id/decline': 'anyone',
  'POST /api/billing/test-checkouts/:id/pay': 'anyone',
  'POST /api/claim-license': 'account',
  'POST /api/complete-chunk-upload': 'account',
  'POST /api/device-unlock': 'account',
  'POST /api/emailed-link-status': 'anyone',
  'POST /api/file/:id/share': 'account',
  'POST /api/file/:id/share-zk': 'account',
  'POST /api/live/tickets': 'account',
  'POST /api/login': 'anyone',
  'POST /api/messages': 'account',
  'POST /api/organization/accept-invite': 'account',
  'POST /api/organization/add-seats': 'account',
  'POST /api/organization/auto-join': 'account',
  'POST /api/organization/invite': 'account',
  'POST /api/organization/join': 'anyone',
  'POST /api/organization/leave': 'account',
  'POST /api/organization/resend-invitation': 'account',
  'POST /api/organization/seats/preview': 'account',
  'POST /api/portals/join': 'anyone',
  'POST /api/portals/tickets': 'anyone',
  'POST /api/register': 'anyone',
  'POST /api/register-with-magic-link': 'anyone',
  'POST /api/sessions': 'account',
  'POST /api/sessions/:id/admit': 'anyone',
  'POST /api/sessions/:id/complete-upload': 'anyone',
  'POST /api/sessions/:id/heartbeat': 'anyone',
  'POST /api/sessions/:id/knocks/:knockId': 'anyone',
  'POST /api/sessions/:id/leave': 'anyone',
  'POST /api/sessions/:id/messages': 'anyone',
  'POST /api/sessions/:id/tickets': 'anyone',
  'POST /api/sessions/:id/upload-chunk': 'anyone',
  'POST /api/sessions/join': 'anyone',
  'POST /api/settings': 'account',
  'POST /api/stripe/create-business-checkout': 'account',
  'POST /api/stripe/create-checkout': 'account',
  'POST /api/subscription/cancel': 'account',
  'POST /api/subscription/manage': 'account',
  'POST /api/upload': 'account',
  'POST /api/upload-chunk': 'account',
  'POST /auth/v1/admin/generate_link': 'anyone',
  'POST /auth/v1/admin/users': 'anyone',
  'POST /auth/v1/factors': 'anyone',
  'POST /auth/v1/factors/:id/challenge': 'anyone',
  'POST /auth/v1/factors/:id/verify': 'anyone',
  'POST /auth/v1/invite': 'anyone',
  'POST /auth/v1/logout': 'anyone',
  'POST /auth/v1/otp': 'anyone',
  'POST /auth/v1/recover': 'anyone',
  'POST /auth/v1/resend': 'anyone',
  'POST /auth/v1/signup': 'anyone',
  'POST /auth/v1/sso': 'anyone',
  'POST /auth/v1/token': 'anyone',
  'POST /auth/v1/verify': 'anyone',
  'PUT /api/account/keys': 'account',
  'PUT /api/account/recovery-key': 'account',
  'PUT /api/admin/users/:id/license': 'admin',
  'PUT /api/organization/member/:userId/role': 'account',
  'PUT /api/sessions/:id/participant': 'anyone',
  'PUT /api/sessions/:id/settings': 'anyone',
  'PUT /auth/v1/admin/users/:id': 'anyone',
  'PUT /auth/v1/user': 'anyone',
}

const byName = new Map(routes.map((route) => [nameOf(route), route]))
const accountRoutes = routes.filter(({ spec }) => spec.access === 'account')
const missingId = '01a1fd00-0000-7000-8000-000000000000'

test('T096 the server has exactly the routes of this table, each with its access', async () => {
  const server = await startWholeServer()

  const mounted = routesOf(server).filter((name) => !isPage(name))

  expect(mounted).toEqual(Object.keys(accessOf))
  for (const name of mounted.filter((one) => !/ticket|machine|link|page/.test(accessOf[one] ?? ''))) {
    expect(byName.get(name)?.spec.access, name).toBe(accessOf[name])
  }
  await server.stop()
})

test('T096 adding a route that is not in the contract throws', async () => {
  const app = await createEmptyApp()

  const addRoute = () => app.get('/api/backdoor', async () => 'open')

  expect(addRoute).toThrow('GET /api/backdoor is not in the contract')
  await app.close()
})

test('T096 T097 T098 another user’s resources respond like resources that do not exist', async () => {
  const server = await startWholeServer()
  const owner = await server.createMember()
  const other = await server.createMember()
  const file = await sealFile({ plainBytes: 1000 })
  const fileId = await server.store(owner.accessToken, file)
  const message = await server.app.inject({
    method: 'POST',
    url: '/api/messages',
    headers: bearer(owner.accessToken),
    payload: await createSealedMessage({ contextId: owner.userId }),
  })
  const otherResources: Readonly<Record<string, { id: string; code: string }>> = {
    '/api/messages/:id': { id: message.json().id, code: 'MESSAGE_NOT_FOUND' },
    '/api/organization/invitation/:id': { id: fileId, code: 'NO_ORGANIZATION' },
    '/api/account/sign-ins/:id': { id: authSessionIdIn(owner.accessToken), code: 'SIGN_IN_NOT_FOUND' },
  }
  const routesWithId = accountRoutes.filter(({ path }) => path.includes(':id'))

  for (const route of routesWithId) {
    const body = bodyFor(route, await file.wrap('share', file.rootKey))
    const headers = bearer(other.accessToken)
    const { id, code } = otherResources[route.path] ?? { id: fileId, code: 'FILE_NOT_FOUND' }
    const foreign = await sendRequest(server, route, { id, headers, body })
    const missing = await sendRequest(server, route, { id: missingId, headers, body })

    expect([nameOf(route), foreign.statusCode, codeIn(foreign.body)]).toEqual([nameOf(route), 404, code])
    expect(foreign.body).toBe(missing.body)
  }
  const own = await server.app.inject({ url: `/api/file/${fileId}/key`, headers: bearer(owner.accessToken) })
  expect(routesWithId.length).toBeGreaterThanOrEqual(9)
  expect(own.json()).toEqual({ success: true, encryptedFileKey: file.envelope })
  await server.stop()
})

test('T096 T172 metrics are available to local requests and, behind a proxy, only with the token', async () => {
  const open = await startWholeServer()
  const guarded = await startWholeServer({ OPERATOR_TOKEN: 'a token of the operator'.replaceAll(' ', '-') })
  const token = bearer('a-token-of-the-operator')

  const local = await open.app.inject({ url: '/metrics' })
  const forwarded = { 'x-forwarded-for': '198.51.100.1' }
  const proxied = await open.app.inject({ url: '/metrics', headers: forwarded })
  const guardedLocal = await guarded.app.inject({ url: '/metrics' })
  const stranger = await guarded.app.inject({ url: '/metrics', headers: forwarded })
  const operator = await guarded.app.inject({ url: '/metrics', headers: { ...forwarded, ...token } })

  const statuses = [local, proxied, guardedLocal, stranger, operator].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([200, 404, 200, 404, 200])
  await open.stop()
  await guarded.stop()
})

test('SHL-13 T158 every error response has the security headers', async () => {
  const server = await startWholeServer()

  for (const route of routes) {
    const { headers } = await sendRequest(server, route, { headers: { 'content-encoding': 'gzip' } })

    expect(headers, nameOf(route)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  }
  await server.stop()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const codeIn = (body: string): unknown => (body === '' ? undefined : JSON.parse(body).code)

const authSessionIdIn = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).session_id

/** The files of the web app, which depend on its build. */
const isPage = (name: string): boolean =>
  /^(GET|HEAD) \/(assets\/\*|\.well-known\/change-password|[^/]+\.\w+)$/.test(name)

/** Parses Fastify's printed route tree: each line appends its segment to those above it. */
function routesOf({ app }: WholeServer): string[] {
  const pieces: string[] = []
  const found: string[] = []
  for (const line of app.printRoutes().split('\n')) {
    const {
      indent = '',
      piece = '',
      methods = '',
    } = /^(?<indent>[│ ]*)[├└]── (?<piece>\S*)(?: \((?<methods>[A-Z, ]+)\))?$/.exec(line)?.groups ?? {}
    const depth = indent.length / 4
    pieces.splice(depth, Number.POSITIVE_INFINITY, piece)
    for (const method of methods.split(', ').filter(Boolean)) found.push(`${method} ${pieces.join('')}`)
  }
  return found.sort()
}

interface RequestOptions {
  readonly id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

function sendRequest(
  { app }: WholeServer,
  { path, spec }: Route,
  { id = missingId, headers = {}, body }: RequestOptions = {},
) {
  const takesBytes = spec.body !== undefined && 'kind' in spec.body
  return app.inject({
    method: spec.method,
    url: path.replace(/:[a-zA-Z]+/, id),
    headers: { ...(takesBytes && { 'content-type': 'application/octet-stream' }), ...headers },
    ...(takesBytes ? { payload: Buffer.alloc(28) } : spec.body && { payload: body ?? {} }),
  })
}

function bodyFor({ spec }: { spec: EndpointSpec }, shareEncryptedFileKey: string): object {
  return spec.method === 'PATCH' ? { expirationMinutes: 5 } : { shareEncryptedFileKey }
}

async function createEmptyApp() {
  return createApp({
    log: createLogger('silent'),
    findAccount: async () => null,
    requireLicence: async () => undefined,
    config: { TRUSTED_PROXIES: [], OPERATOR_TOKEN: undefined },
    publicUrl: new URL('http://sallyport.test'),
  })
}
