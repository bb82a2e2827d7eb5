import { authPrefix } from '@sallyport/contract/auth'
import { authErrorCatalogue } from '@sallyport/contract/auth-errors'
import { isErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { startWholeServer, type WholeServer } from '../servers/whole-server.ts'
import { mutatedDrafts } from './mutated-requests.ts'
import { exchange, isOpenEnded, type RawRequest, type RawResponse } from './raw-exchange.ts'
import { isValid, nameOf, pathOf, type RequestDraft, type Route, routes, toRawRequest } from './requests.ts'
import { watchStorage } from './storage.ts'

const seed = 20_261_121

/** Server internals that must not appear in a response: files, SQL, components and the environment. */
const internals = [
  /\bat .+:\d+:\d+/,
  /node_modules|node:internal|\.ts\b|apps\/server/,
  /sqlite|postgres|kysely|fastify|pino|\bzod\b/i,
  /\b(select .+ from|insert into|delete from|constraint failed|no such (table|column))\b/i,
  /ENOENT|EACCES|EISDIR|TypeError|SyntaxError|Unexpected token/,
  /\/(tmp|home|root|work|var|usr)\//,
  /9\.8\.7/,
]

/** Each server is started for this many routes: more members than theirs may not register from one address. */
const routesPerServer = 25
let server: WholeServer | undefined

async function serverFor(index: number): Promise<WholeServer> {
  if (server && index % routesPerServer !== 0) return server
  await server?.stop()
  server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1', REGISTRATIONS_PER_HOUR: '10000' })
  return server
}

afterAll(() => server?.stop())

/** Defines a test for each route that sends it this many malformed requests. */
export function testEachRoute(runsPerRoute: number): void {
  for (const [index, route] of routes.entries()) {
    test(`T169 T183 ${runsPerRoute} malformed requests to ${nameOf(route)} get documented errors and store nothing (seed ${seed})`, async () =>
      fuzz(route, await serverFor(index), runsPerRoute))
  }
}

async function fuzz(route: Route, server: WholeServer, runsPerRoute: number): Promise<void> {
  const storage = watchStorage(server.folder)
  const fixtures = await server.seed()
  let { accessToken } = fixtures
  const drafts = mutatedDrafts(route, fixtures)
  let errors = 0

  const eachDraft = fc.asyncProperty(drafts, fc.ipV4(), async (drawn, address) => {
    const draft = fromAddress(withToken(drawn, fixtures.accessToken, accessToken), address)
    const request = toRawRequest(draft)
    const snapshot = () =>
      storage.snapshot().filter((line) => !isRecordTable(line) && (hasKnownLength(request) || !isUploadTable(line)))
    await expectDelivered(storage.hasQueuedEmails)
    const before = snapshot()

    const answer = await exchange(server.port, request)

    if (answer === null) {
      expect(isOpenEnded(request), 'closed without a response').toBe(true)
      await expectUnchanged(before, snapshot)
      return
    }
    if (answer.status < 400) {
      expectSuccess(draft, answer, accessToken)
      // A successful call may have ended the auth session.
      if (route.path.endsWith('/logout')) accessToken = (await server.createMember()).accessToken
      return
    }
    errors += 1
    expectError(draft, answer)
    await expectUnchanged(before, snapshot)
  })

  await fc.assert(eachDraft, { seed, numRuns: runsPerRoute, endOnFailure: true })

  expect(errors).toBeGreaterThan(runsPerRoute / 4)
  expect(server.logged).toEqual([])
  expect(Reflect.has({}, 'polluted') || Reflect.has({}, 'admin')).toBe(false)
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200)
  storage.close()
}

/** A chunk of unknown length is rejected only after its upload has been opened. */
const hasKnownLength = (request: RawRequest): boolean =>
  !request.target.includes('/api/upload') ||
  (!isOpenEnded(request) && request.headers.some(([name]) => name === 'Content-Length'))

/**
 * Failed attempts, the presence of participants and actions of admins are recorded even for rejected requests, and the activity
 * of an account a second after what succeeded.
 */
const isRecordTable = (line: string): boolean =>
  /^(pin_failures|pin_hours|session_participants|admin_audit|account_activity|failed_attempts):/.test(line)

const isUploadTable = (line: string): boolean => /^(uploads|storage_use):/.test(line)

const withToken = (draft: RequestDraft, drawn: string, now: string): RequestDraft => ({
  ...draft,
  headers: draft.headers.map(([name, value]) => [name, value === `Bearer ${drawn}` ? `Bearer ${now}` : value]),
})

/** Uses a new client address for each request, so that rate limits do not hide other errors. */
const fromAddress = (draft: RequestDraft, address: string): RequestDraft =>
  draft.headers.some(([name]) => name === 'X-Forwarded-For')
    ? draft
    : { ...draft, headers: [...draft.headers, ['X-Forwarded-For', address]] }

function expectSuccess(draft: RequestDraft, answer: RawResponse, accessToken: string): void {
  expect(answer.status).toBeGreaterThanOrEqual(200)
  if (isPage(draft, answer)) return
  expect(isValid(draft, accessToken), `succeeded with ${answer.status}: ${answer.body.slice(0, 300)}`).toBe(true)
  expectCommonHeaders(answer, pathOf(draft))
}

/** Every path outside the API serves the web app, which shows its own not-found page. */
function isPage(draft: RequestDraft, { headers, status }: RawResponse): boolean {
  if (draft.method !== 'GET' && draft.method !== 'HEAD') return false
  if (pathOf(draft) === `${authPrefix}/verify`) return status === 303
  const isHtml = status === 304 || headers.get('content-type')?.startsWith('text/html') === true
  return !/^\/(api|auth\/v1)\//.test(pathOf(draft)) && isHtml
}

function expectError(draft: RequestDraft, answer: RawResponse): void {
  if (isPage(draft, answer)) return
  const path = pathOf(draft)
  expect(answer.status, answer.body.slice(0, 300)).toBeLessThan(500)
  expectCommonHeaders(answer, path)
  for (const internal of internals) expect(`${answer.body} ${[...answer.headers].join(' ')}`).not.toMatch(internal)
  // A request that is not valid HTTP is not known to be a HEAD; such responses carry no date.
  if (draft.method === 'HEAD' && answer.headers.has('date')) {
    expect(answer.body).toBe('')
    return
  }
  const body = JSON.parse(answer.body) as Record<string, unknown>
  if (path.startsWith('/auth/v1/') && !('success' in body)) {
    expectAuthError(body, answer)
    return
  }
  expect(Object.keys(body).filter((name) => name !== 'details')).toEqual(['success', 'error', 'code'])
  expect(body).toMatchObject({ success: false, error: expect.stringMatching(/\w/) })
  expect(isErrorCode(body['code']) && errorCatalogue[body['code']].status).toBe(answer.status)
}

function expectAuthError(body: Record<string, unknown>, answer: RawResponse): void {
  const name = String(body['error_code'] ?? body['code'])
  expect(Object.keys(authErrorCatalogue)).toContain(name)
  expect(body['msg'] ?? body['message']).toMatch(/\w/)
  expect(answer.headers.get('x-sb-error-code')).toBe(name)
}

function expectCommonHeaders({ status, headers }: RawResponse, path: string): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const isCacheable = status < 400 && path.endsWith('/jwks.json')
  expect(headers.get('cache-control')).toBe(isCacheable ? 'public, max-age=600' : 'no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const name of ['server', 'x-powered-by', 'x-injected', 'access-control-allow-origin']) {
    expect(headers.has(name), name).toBe(false)
  }
}

/** An email of an earlier successful request may still be in the queue. */
async function expectDelivered(isWaiting: () => boolean): Promise<void> {
  await expect.poll(isWaiting, { message: 'emails are never sent' }).toBe(false)
}

/** Partial writes of a rejected request may take a moment to be removed. */
async function expectUnchanged(before: readonly string[], snapshot: () => string[]): Promise<void> {
  await expect.poll(snapshot).toEqual(before)
}
