import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWholeServer, type WholeServer } from '../../testing/servers/whole-server.ts'

const read = ({ app }: WholeServer, headers: Readonly<Record<string, string>> = {}, remoteAddress = '127.0.0.1') =>
  app.inject({ url: '/dev/outbox', headers: { host: 'localhost:8080', ...headers }, remoteAddress })

async function register({ url }: WholeServer, email: string): Promise<void> {
  const body = JSON.stringify({ email, password: `Zk2.${'A'.repeat(43)}` })
  await fetch(`${url}/api/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

test('the outbox page shows emails with links to the port on which the server listens', async () => {
  const server = await startWholeServer({ VERIFY_ADDRESSES: 'on' })
  const empty = await read(server)

  await register(server, 'ann@example.org')
  await expect.poll(async () => (await read(server)).body).toContain('Please verify your email address')
  const page = await read(server)

  expect(empty.body).toContain('No messages yet.')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
  expect(page.body).toContain('To: ann@example.org')
  expect(page.body).toMatch(
    new RegExp(`<a href="http://localhost:${server.port}/auth/confirm#token_hash=[\\w-]{43}&#38;type=email">`),
  )
  expect(page.body).not.toContain('<script')
  await server.stop()
})

test('T062 the outbox page escapes the content of messages', async () => {
  const server = await startWholeServer()
  const folder = join(server.folder, 'outbox')
  mkdirSync(folder)
  writeFileSync(join(folder, `${'0'.repeat(36)}.txt`), 'To: +49\n\n<img src=x onerror=alert(1)> "https://a/?<b>"\n')

  const { body } = await read(server)

  expect(body).toContain('&#60;img src=x onerror=alert(1)&#62;')
  expect(body).not.toContain('<img')
  await server.stop()
})

test('T051 the outbox page answers 404 to requests from other machines', async () => {
  const server = await startWholeServer()

  const refused = [
    await read(server, {}, '192.0.2.7'),
    await read(server, { host: 'files.example.org' }),
    await read(server, { host: 'evil.example' }),
    await read(server, { 'x-forwarded-for': '192.0.2.7' }),
    await read(server, { 'x-real-ip': '192.0.2.7' }),
    await read(server, { forwarded: 'for=192.0.2.7' }),
  ]

  for (const { statusCode, body } of refused) {
    expect(statusCode).toBe(404)
    expect(body).not.toContain('Outbox')
  }
  await server.stop()
})

test.each([
  ['in production', { NODE_ENV: 'production' }],
  ['behind a proxy', { TRUSTED_PROXIES: '127.0.0.1' }],
  ['with a public address', { PUBLIC_URL: 'https://files.example.org' }],
])('the outbox page does not exist %s', async (_, environment) => {
  const server = await startWholeServer(environment)

  const { body } = await read(server)

  expect(body).not.toContain('No messages yet.')
  expect(server.app.hasRoute({ method: 'GET', url: '/dev/outbox' })).toBe(false)
  await server.stop()
})

test('the config call reports whether addresses are verified and text messages are available', async () => {
  const plain = await startWholeServer()
  const mailing = await startWholeServer({ SMTP_URL: 'smtp://127.0.0.1:1', SMS_URL: 'http://127.0.0.1:1/send' })
  const overridden = await startWholeServer({ SMTP_URL: 'smtp://127.0.0.1:1', VERIFY_ADDRESSES: 'off' })
  const featuresOf = async ({ app }: WholeServer) => (await app.inject({ url: '/api/config' })).json().features

  expect(await featuresOf(plain)).toMatchObject({ sms: false, verificationRequired: false })
  expect(await featuresOf(mailing)).toMatchObject({ sms: true, verificationRequired: true })
  expect(await featuresOf(overridden)).toMatchObject({ sms: false, verificationRequired: false })
  for (const server of [plain, mailing, overridden]) await server.stop()
})
