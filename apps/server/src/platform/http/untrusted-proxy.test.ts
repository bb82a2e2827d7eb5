import { expect, test } from 'vitest'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

const forwarded = { 'x-forwarded-for': '203.0.113.9' }

const post = async ({ url }: WholeServer, path: string, body: object, headers: Record<string, string>) => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as { code?: string } }
}

const joinStatus = async (server: WholeServer, headers: Record<string, string>) =>
  (await post(server, '/api/sessions/join', { session_pin: '482915' }, headers)).status

test('visitors behind an untrusted proxy get PROXY_NOT_TRUSTED for PINs, with one log entry', async () => {
  const lines: string[] = []
  const server = await startWholeServer({}, { write: (line) => void lines.push(line) })
  const { accessToken } = await server.createMember()
  const bearer = { authorization: `Bearer ${accessToken}` }

  for (const headers of [
    forwarded,
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.9' },
  ]) {
    const { status, body } = await post(server, '/api/sessions/join', { session_pin: '482915' }, headers)
    expect([status, body.code]).toEqual([421, 'PROXY_NOT_TRUSTED'])
  }
  expect((await post(server, '/api/portals/join', { session_pin: '482915' }, forwarded)).status).toBe(421)
  expect(await joinStatus(server, {})).toBe(404)
  expect(await joinStatus(server, { ...forwarded, ...bearer })).toBe(404)
  expect((await fetch(`${server.url}/api/config`, { headers: forwarded })).status).toBe(200)
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1)
  await server.stop()
})

test('visitors behind a trusted proxy can use PINs', async () => {
  const lines: string[] = []
  const server = await startWholeServer({ TRUSTED_PROXIES: '127.0.0.1' }, { write: (line) => void lines.push(line) })

  expect(await joinStatus(server, forwarded)).toBe(404)
  expect(await joinStatus(server, { 'x-forwarded-for': '127.0.0.1' })).toBe(404)
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toEqual([])
  await server.stop()
})

test('the higher limits of local networks do not apply to forwarded requests', async () => {
  const server = await startWholeServer()
  const register = async (index: number, headers: Record<string, string>) => {
    const credentials = { email: `a${index}@example.org`, password: `Zk2.${'x'.repeat(43)}` }
    return (await post(server, '/api/register', credentials, headers)).status
  }

  const statuses: number[] = []
  for (let index = 0; index < 7; index += 1) statuses.push(await register(index, forwarded))

  expect(statuses.slice(5)).toEqual([429, 429])
  expect(statuses.slice(0, 5)).not.toContain(429)
  expect(await register(9, {})).not.toBe(429)
  await server.stop()
})

test.each(['172.17.0.1', '192.168.1.7', '::ffff:10.0.0.2', 'fd00::2'])(
  'visitors behind an untrusted proxy at the local address %s get an error, and the log names the setting',
  async (remoteAddress) => {
    const lines: string[] = []
    const server = await startWholeServer({}, { write: (line) => void lines.push(line) })
    const join = (headers: Record<string, string>) =>
      server.app.inject({
        method: 'POST',
        url: '/api/sessions/join',
        remoteAddress,
        headers,
        payload: { session_pin: '482915' },
      })

    expect((await join(forwarded)).json().code).toBe('PROXY_NOT_TRUSTED')
    expect((await join({})).statusCode).toBe(404)
    const warnings = lines.filter((line) => line.includes('TRUSTED_PROXIES'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`TRUSTED_PROXIES=${remoteAddress}`)
    await server.stop()
  },
)

test('a PIN is found in the body, headers and query', async () => {
  const server = await startWholeServer()
  const id = '0190a0a0-0000-7000-8000-000000000000'
  const status = async (path: string, init: RequestInit = {}) =>
    (await fetch(server.url + path, { ...init, headers: { ...forwarded, ...init.headers } })).status
  const json = { 'content-type': 'application/json' }
  const summary = { uploadId: 'u', fileName: 'n', encryptedFileKey: 'k', totalChunks: 1, chunkSize: 1 }

  expect(await status(`/api/sessions/${id}?session_pin=482915`)).toBe(421)
  expect(await status(`/api/sessions/${id}`, { headers: { 'x-session-pin': '482915' } })).toBe(421)
  const body = JSON.stringify({ ...summary, sessionPin: '482915' })
  expect(await status(`/api/sessions/${id}/complete-upload`, { method: 'POST', headers: json, body })).toBe(421)
  expect(await status(`/api/sessions/${id}`)).toBe(404)
  await server.stop()
})
