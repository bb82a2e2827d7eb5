import { setTimeout as pause } from 'node:timers/promises'
import { authPrefix } from '@sallyport/contract/auth'
import { authErrorCatalogue } from '@sallyport/contract/auth-errors'
import { isErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchange, isOpenEnded, type RawAnswer, type RawRequest } from './testing/fuzz/raw-exchange.ts'
import { asRequest, type Draft, isSound, nameOf, pathOf, type Route, routes } from './testing/fuzz/requests.ts'
import { spoiledDrafts } from './testing/fuzz/spoiled-requests.ts'
import { watchStorage } from './testing/fuzz/storage.ts'
import { startWholeServer, type WholeServer } from './testing/whole-server.ts'

const seed = 20_261_121
const casesEach = 200

/** What only the server knows: its own files, statements and parts, and where and as what it runs. */
const innerThings = [
  /\bat .+:\d+:\d+/,
  /node_modules|node:internal|\.ts\b|apps\/server/,
  /sqlite|postgres|kysely|fastify|pino|\bzod\b/i,
  /\b(select .+ from|insert into|delete from|constraint failed|no such (table|column))\b/i,
  /ENOENT|EACCES|EISDIR|TypeError|SyntaxError|Unexpected token/,
  /\/(tmp|home|root|work|var|usr)\//,
  /9\.8\.7/,
]

for (const route of routes) {
  test(`T169 T183 ${casesEach} bad requests to ${nameOf(route)} are refused in known words and store nothing (seed ${seed})`, {
    timeout: 60_000,
  }, async () => {
    const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' })
    try {
      await fuzz(route, server)
    } finally {
      await server.stop()
    }
  })
}

async function fuzz(route: Route, server: WholeServer): Promise<void> {
  const storage = watchStorage(server.folder)
  const surroundings = await server.furnish()
  let { accessToken } = surroundings
  const drafts = spoiledDrafts(route, surroundings)
  let refusals = 0

  const eachDraft = fc.asyncProperty(drafts, fc.ipV4(), async (drawn, address) => {
    const draft = fromAddress(withToken(drawn, surroundings.accessToken, accessToken), address)
    const request = asRequest(draft)
    const look = () =>
      storage.look().filter((line) => !isOfLimits(line) && (tellsItsLength(request) || !isOfUploads(line)))
    await expectDelivered(look)
    const before = look()

    const answer = await exchange(server.port, request)

    if (answer === null) {
      expect(isOpenEnded(request), 'hung up without an answer').toBe(true)
      await expectUnchanged(before, look)
      return
    }
    if (answer.status < 400) {
      expectGranted(draft, answer, accessToken)
      // A call that was granted may have ended the sign-in.
      if (route.path.endsWith('/logout')) accessToken = (await server.aMember()).accessToken
      return
    }
    refusals += 1
    expectRefusal(draft, answer)
    await expectUnchanged(before, look)
  })

  await fc.assert(eachDraft, { seed, numRuns: casesEach, endOnFailure: true })

  expect(refusals).toBeGreaterThan(casesEach / 4)
  expect(server.logged).toEqual([])
  expect(Reflect.has({}, 'polluted') || Reflect.has({}, 'admin')).toBe(false)
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200)
  storage.close()
}

/** A chunk of unknown length is only known to be wrong when its upload is open already, waiting for a better one. */
const tellsItsLength = (request: RawRequest): boolean =>
  !request.target.includes('/api/upload') ||
  (!isOpenEnded(request) && request.headers.some(([name]) => name === 'Content-Length'))

/** That a PIN was wrong is counted, and that somebody was heard of is noted; neither is anything they have stored. */
const isOfLimits = (line: string): boolean => /^(pin_failures|pin_hours|session_participants):/.test(line)

const isOfUploads = (line: string): boolean => /^(uploads|storage_use):/.test(line)

const withToken = (draft: Draft, drawn: string, now: string): Draft => ({
  ...draft,
  headers: draft.headers.map(([name, value]) => [name, value === `Bearer ${drawn}` ? `Bearer ${now}` : value]),
})

/** Each time somebody else's, so that the limits of one address do not hide everything behind them. */
const fromAddress = (draft: Draft, address: string): Draft =>
  draft.headers.some(([name]) => name === 'X-Forwarded-For')
    ? draft
    : { ...draft, headers: [...draft.headers, ['X-Forwarded-For', address]] }

function expectGranted(draft: Draft, answer: RawAnswer, accessToken: string): void {
  expect(answer.status).toBeGreaterThanOrEqual(200)
  if (isPage(draft, answer)) return
  expect(isSound(draft, accessToken), `granted with ${answer.status}: ${answer.body.slice(0, 300)}`).toBe(true)
  expectManners(answer, pathOf(draft))
}

/** Every address that is not the interface's shows the page, which then says that there is nothing; links lead to it. */
function isPage(draft: Draft, { headers, status }: RawAnswer): boolean {
  if (draft.method !== 'GET' && draft.method !== 'HEAD') return false
  if (pathOf(draft) === `${authPrefix}/verify`) return status === 303
  const isHtml = status === 304 || headers.get('content-type')?.startsWith('text/html') === true
  return !/^\/(api|auth\/v1)\//.test(pathOf(draft)) && isHtml
}

function expectRefusal(draft: Draft, answer: RawAnswer): void {
  const path = pathOf(draft)
  expect(answer.status, answer.body.slice(0, 300)).toBeLessThan(500)
  expectManners(answer, path)
  for (const inner of innerThings) expect(`${answer.body} ${[...answer.headers].join(' ')}`).not.toMatch(inner)
  // What cannot be read as HTTP is not known to be a HEAD either; such answers carry no date.
  if (draft.method === 'HEAD' && answer.headers.has('date')) {
    expect(answer.body).toBe('')
    return
  }
  const body = JSON.parse(answer.body) as Record<string, unknown>
  if (path.startsWith('/auth/v1/') && !('success' in body)) {
    expectProtocolRefusal(body, answer)
    return
  }
  expect(Object.keys(body).filter((name) => name !== 'details')).toEqual(['success', 'error', 'code'])
  expect(body).toMatchObject({ success: false, error: expect.stringMatching(/\w/) })
  expect(isErrorCode(body['code']) && errorCatalogue[body['code']].status).toBe(answer.status)
}

function expectProtocolRefusal(body: Record<string, unknown>, answer: RawAnswer): void {
  const name = String(body['error_code'] ?? body['code'])
  expect(Object.keys(authErrorCatalogue)).toContain(name)
  expect(body['msg'] ?? body['message']).toMatch(/\w/)
  expect(answer.headers.get('x-sb-error-code')).toBe(name)
}

function expectManners({ status, headers }: RawAnswer, path: string): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const mayBeKept = status < 400 && path.endsWith('/jwks.json')
  expect(headers.get('cache-control')).toBe(mayBeKept ? 'public, max-age=600' : 'no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const name of ['server', 'x-powered-by', 'x-injected', 'access-control-allow-origin']) {
    expect(headers.has(name), name).toBe(false)
  }
}

/** A letter that an earlier request was granted is still on its way for a moment. */
async function expectDelivered(look: () => string[]): Promise<void> {
  const isWaiting = () => look().some((line) => /^post_queue: [1-9]/.test(line))
  for (let waits = 0; waits < 40 && isWaiting(); waits += 1) await pause(25)
  expect(isWaiting(), 'letters wait for ever').toBe(false)
}

/** What a refused request had begun to write may take a moment to go. */
async function expectUnchanged(before: readonly string[], look: () => string[]): Promise<void> {
  for (let waits = 0; waits < 40 && look().join() !== before.join(); waits += 1) await pause(25)
  expect(look()).toEqual(before)
}
