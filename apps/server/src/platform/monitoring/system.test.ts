import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startWholeServer } from '../../testing/servers/whole-server.ts'

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

test('metrics: require the operator token if one is set', async () => {
  const server = await startWholeServer({ OPERATOR_TOKEN: 'a token of the operator'.replaceAll(' ', '-') })
  const status = (token: string) => statusOf(server.port, { authorization: `Bearer ${token}`, via: '1.1 proxy' })

  expect(await status('a-token-of-the-operator')).toBe(200)
  for (const token of ['a-token-of-the-operatos', 'a-token', 'x']) expect(await status(token)).toBe(404)
  expect(await statusOf(server.port, {})).toBe(404)
  await server.stop()
})

test('the OpenAPI document is built only once', async () => {
  const server = await startWholeServer()
  const url = `${server.url}/api/openapi.json`

  const first = await fetch(url)
  const started = performance.now()
  for (let count = 0; count < 100; count += 1) await (await fetch(url)).arrayBuffer()

  expect(await first.json()).toMatchObject({ openapi: '3.1.0', paths: { '/api/openapi.json': {} } })
  expect(performance.now() - started).toBeLessThan(5000)
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

test('robots.txt is text and allows search engines only the front page', async () => {
  const server = await startWholeServer()
  const answer = await fetch(`${server.url}/robots.txt`)

  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe('User-agent: *\nAllow: /$\nDisallow: /\n')
  await server.stop()
})
