import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../../testing/test-folder.ts'
import { createApp } from './app.ts'
import { createLogger } from './logger.ts'
import { servePages } from './pages.ts'

async function startPages() {
  const folder = createTestFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Sallyport</title>')
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *')
  writeFileSync(join(folder, 'assets', 'main-1a2b3c.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'main-1a2b3c.js.br'), 'brotli')
  writeFileSync(join(folder, 'assets', 'main-1a2b3c.js.gz'), 'gzip')
  const app = await createApp({
    log: createLogger('silent'),
    findAccount: async () => null,
    requireLicence: async () => undefined,
    config: { TRUSTED_PROXIES: [], OPERATOR_TOKEN: undefined },
    publicUrl: new URL('http://sallyport.test'),
  })
  servePages(app, folder, null)
  return app
}

test('HEAD of a page responds like GET without a body', async () => {
  const app = await startPages()

  for (const url of ['/', '/auth/confirm?token_hash=abc&type=email', '/robots.txt', '/assets/main-1a2b3c.js']) {
    const whole = await app.inject({ method: 'GET', url })
    const head = await app.inject({ method: 'HEAD', url })

    const { date: _, 'x-request-id': __, ...headers } = whole.headers
    expect([whole.statusCode, head.statusCode], url).toEqual([200, 200])
    expect(head.headers, url).toMatchObject(headers)
    expect(head.body).toBe('')
  }
  await app.close()
})

test('a path without a screen gets the page with 404, and password managers are led to the settings', async () => {
  const app = await startPages()
  const statusOf = async (url: string) => (await app.inject({ url })).statusCode

  for (const url of ['/', '/?tab=chat', '/dashboard', '/settings', '/portal?anonymous=true', '/s/token', '/share/id'])
    expect(await statusOf(url), url).toBe(200)
  for (const url of ['/.env', '/.git/config', '/wp-login.php', '/favicon.ico', '/s', '/s/a/b', '/settings/x', '//x'])
    expect(await statusOf(url), url).toBe(404)
  expect((await app.inject({ url: '/wp-login.php' })).body).toContain('<title>Sallyport</title>')
  const change = await app.inject({ url: '/.well-known/change-password' })
  expect([change.statusCode, change.headers.location]).toEqual([302, '/settings'])
  await app.close()
})

test('HEAD of an unknown API path or a missing file gets 404', async () => {
  const app = await startPages()

  for (const url of ['/api/nothing', '/auth/v1/nothing', '/assets/gone.js']) {
    expect((await app.inject({ method: 'HEAD', url })).statusCode, url).toBe(404)
  }
  expect((await app.inject({ method: 'POST', url: '/auth/confirm' })).statusCode).toBe(404)
  await app.close()
})

test('a part of the page is sent in the preferred encoding that the client accepts', async () => {
  const app = await startPages()
  const encodingFor = async (accepted?: string) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const { headers: sent, rawPayload } = await app.inject({ url: '/assets/main-1a2b3c.js', headers })
    expect(sent).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'text/javascript; charset=utf-8' })
    return [sent['content-encoding'], String(rawPayload)]
  }

  expect(await encodingFor('gzip, deflate, br, zstd')).toEqual(['br', 'brotli'])
  expect(await encodingFor('gzip;q=1.0, br;q=0')).toEqual(['gzip', 'gzip'])
  expect(await encodingFor('identity')).toEqual([undefined, 'export {}'])
  expect(await encodingFor()).toEqual([undefined, 'export {}'])
  await app.close()
})

test('search engines may list the front page only', async () => {
  const app = await startPages()
  const tagOf = async (url: string) => (await app.inject({ url })).headers['x-robots-tag']

  expect(await tagOf('/')).toBeUndefined()
  for (const url of ['/?session=482915', '/s/token', '/invite/abc', '/portal', '/nothing', '/index.html'])
    expect(await tagOf(url), url).toBe('noindex')
  await app.close()
})

test('a client that has the current version of a file gets 304', async () => {
  const app = await startPages()
  const get = (url: string, headers: Record<string, string>) => app.inject({ url, headers })
  const { headers } = await get('/', { 'accept-encoding': 'br' })
  const entityTag = String(headers.etag)

  const repeated = await get('/dashboard', { 'accept-encoding': 'br', 'if-none-match': `"other", W/${entityTag}` })
  const changed = await get('/', { 'if-none-match': '"other"' })
  const asset = await get('/assets/main-1a2b3c.js', {})

  expect([repeated.statusCode, repeated.body, repeated.headers.etag]).toEqual([304, '', entityTag])
  expect([changed.statusCode, changed.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  await app.close()
})

test('a path that leads out of the page gets 404', async () => {
  const app = await startPages()

  for (const url of ['/assets/..%2findex.html', '/assets/%2e%2e%2f%2e%2e%2fpackage.json', '/assets/__proto__'])
    expect((await app.inject({ url })).statusCode, url).toBe(404)
  await app.close()
})
