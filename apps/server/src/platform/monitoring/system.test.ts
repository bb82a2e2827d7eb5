import { renameSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describeInterface } from '@sallyport/contract/openapi'
import { expect, test, vi } from 'vitest'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

// Counts the calls; the function is the real one.
vi.mock('@sallyport/contract/openapi', { spy: true })

/** Sends a request with a custom Host header, which `fetch` does not allow. */
const statusOf = (port: number, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/metrics', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.once('error', reject).end()
  })

test('metrics: available to local requests, but not through a proxy or another host name', async () => {
  const server = await startWholeServer()
  const status = (headers: Record<string, string>) => statusOf(server.port, headers)

  expect(await status({})).toBe(200)
  expect(await status({ host: 'localhost:9000' })).toBe(200)
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect(await status({ [name]: 'x' })).toBe(404)
  expect(await status({ host: 'rebound.example' })).toBe(404)
  await server.stop()
})

test('metrics: other machines need the operator token, local requests do not', async () => {
  const server = await startWholeServer({ OPERATOR_TOKEN: 'a token of the operator'.replaceAll(' ', '-') })
  const status = (token: string) => statusOf(server.port, { authorization: `Bearer ${token}`, via: '1.1 proxy' })

  expect(await status('a-token-of-the-operator')).toBe(200)
  for (const token of ['a-token-of-the-operatos', 'a-token', 'x']) expect(await status(token)).toBe(404)
  expect(await statusOf(server.port, { via: '1.1 proxy' })).toBe(404)
  expect(await statusOf(server.port, {})).toBe(200)
  await server.stop()
})

test('the OpenAPI document is built only once', async () => {
  const server = await startWholeServer()
  const url = `${server.url}/api/openapi.json`

  const first = await (await fetch(url)).text()
  const second = await (await fetch(url)).text()

  expect(JSON.parse(first)).toMatchObject({ openapi: '3.1.0', paths: { '/api/openapi.json': {} } })
  expect(second).toBe(first)
  expect(describeInterface).toHaveBeenCalledTimes(1)
  await server.stop()
})

test('security.txt names the operator’s contact, and is 404 without one', async () => {
  const without = await startWholeServer()
  expect((await fetch(`${without.url}/.well-known/security.txt`)).status).toBe(404)
  await without.stop()

  for (const [contact, uri] of [
    ['security@example.org', 'mailto:security@example.org'],
    ['https://example.org/security', 'https://example.org/security'],
  ] as const) {
    const server = await startWholeServer({ OPERATOR_CONTACT: contact })
    const answer = await fetch(`${server.url}/.well-known/security.txt`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toMatch(new RegExp(`^Contact: ${uri}\nExpires: 20\\d\\d-\\d\\d-\\d\\dT.*Z\n$`))
    await server.stop()
  }
})

test('robots.txt is text and keeps search engines from the API', async () => {
  const server = await startWholeServer()
  const answer = await fetch(`${server.url}/robots.txt`)

  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe('User-agent: *\nDisallow: /api/\nDisallow: /auth/v1/\n')
  await server.stop()
})

test('readiness: a failure is logged once when it begins and once when it ends, without a stack', async () => {
  const lines: string[] = []
  const server = await startWholeServer({}, { write: (line) => void lines.push(line) })
  const volume = join(server.folder, 'volumes', 'main')
  const statuses: number[] = []
  const probe = async () => statuses.push((await fetch(`${server.url}/readyz`)).status)
  lines.length = 0

  await probe()
  renameSync(volume, `${volume}.moved`)
  for (let count = 0; count < 3; count += 1) await probe()
  renameSync(`${volume}.moved`, volume)
  for (let count = 0; count < 2; count += 1) await probe()

  expect(statuses).toEqual([200, 503, 503, 503, 200, 200])
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'answered')
  expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'not ready'],
    [30, 'ready again'],
  ])
  expect(logged[0]?.reason).toContain('ENOENT')
  await server.stop()
})

test('the start logs one line with the settings that matter and no secret', async () => {
  const lines: string[] = []
  const secrets = { SMTP_URL: 'smtp://name:hidden-password@127.0.0.1:1', OPERATOR_TOKEN: 'a-hidden-operator-token' }
  const environment = { ...secrets, REGISTRATION: 'invite', DEFAULT_PLAN: 'vip', TRUSTED_PROXIES: '10.0.0.0/8' }
  const server = await startWholeServer(environment, { write: (line) => void lines.push(line) })

  const started = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'started')
  expect(started).toMatchObject([
    {
      database: 'SQLite',
      redis: false,
      volumes: [{ folder: join(server.folder, 'volumes', 'main'), freeBytes: expect.any(Number) }],
      mail: 'SMTP',
      trustedProxies: ['10.0.0.0/8'],
      registration: 'invite',
      plan: 'vip',
    },
  ])
  expect(lines.join('')).not.toContain('hidden')
  await server.stop()
})
