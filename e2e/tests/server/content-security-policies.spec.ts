import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { startForeignSite } from '../../support/network/foreign-site.ts'

const webBuild = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types sallyport',
].join('; ')
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const responsePolicy = "default-src 'none'; frame-ancestors 'none'"
const storedBytesPolicy = "sandbox; default-src 'none'"

test('T174 pages, worker scripts, API responses and stored bytes each have exactly their content security policy', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File(['x'], 'x.txt'))
  const policies = new Map<string, string | null>()
  page.on('response', (response) => {
    policies.set(new URL(response.url()).pathname, response.headers()['content-security-policy'] ?? null)
  })

  await signIn(page, account)
  await fileRow(page, 'x.txt').getByRole('button', { name: 'Download' }).click()
  await expect.poll(() => policies.has(`/api/download/${id}`)).toBe(true)

  const policiesOf = (pattern: RegExp) =>
    [...policies].filter(([path]) => pattern.test(path)).map(([, policy]) => policy)
  expect(policiesOf(/^\/$/)).toEqual([pagePolicy])
  expect(new Set(policiesOf(/(\.worker|^\/decrypt-worker)-[^/]+\.js$/))).toEqual(new Set([workerPolicy]))
  expect(policiesOf(/(\.worker|^\/decrypt-worker)-[^/]+\.js$/).length).toBeGreaterThanOrEqual(2)
  expect(new Set(policiesOf(/^\/api\/(?!download)/))).toEqual(new Set([responsePolicy]))
  expect(policiesOf(/^\/api\/download/)).toEqual([storedBytesPolicy])
  for (const path of ['/settings', '/s/AAAAAAAAAAAAAAAAAAAAAA', '/no/such/place']) {
    expect((await fetch(server.url + path)).headers.get('content-security-policy'), path).toBe(pagePolicy)
  }
})

test('T176 trusted types prevent text from becoming markup or script', async ({ page, pageErrors, expectedErrors }) => {
  expectedErrors.push(/trusted/i)
  await page.goto('/')

  const outcomes = await page.evaluate(() =>
    [
      () => Reflect.set(document.body, 'innerHTML', '<b>bold</b>'),
      () => document.body.insertAdjacentHTML('beforeend', '<i>slanted</i>'),
      () => document.write('<u>lined</u>'),
      () => new Worker('/assets/anything.js'),
      () => Reflect.set(document.createElement('script'), 'src', '/assets/anything.js'),
    ].map((attempt) => {
      try {
        attempt()
        return 'allowed'
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown'
      }
    }),
  )

  expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
  await expect.poll(() => pageErrors.filter((one) => one.startsWith('require-trusted-types-for')).length).toBe(5)
})

test('T177 a script injected into the page in transit does not run', async ({ page, pageErrors, expectedErrors }) => {
  expectedErrors.push(/script-src/)
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('</head>', '<script>window.slipped = true</script></head>')
    await route.fulfill({ response, body })
  })

  await page.goto('/')

  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(await page.evaluate(() => Reflect.has(window, 'slipped'))).toBe(false)
  await expect.poll(() => pageErrors.some((one) => one.startsWith('script-src'))).toBe(true)
})

test('T180 another site cannot frame the page', async ({ page, server, expectedErrors }) => {
  expectedErrors.push(/frame-ancestors/)
  const foreignSite = await startForeignSite(
    `<!doctype html><title>Other</title><iframe src="${server.url}/"></iframe>`,
  )

  await page.goto(foreignSite.url)

  const frame = page.frames()[1]
  await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/')
  await foreignSite.stop()
})

test('T168 leaving a share page or the home page sends no referrer', async ({ page, server }) => {
  const foreignSite = await startForeignSite('<!doctype html><title>Other</title><p>Elsewhere</p>')

  for (const path of ['/s/AAAAAAAAAAAAAAAAAAAAAA#secret', '/']) {
    await page.goto(server.url + path)
    await page.evaluate((target) => {
      const link = document.createElement('a')
      link.href = target
      document.body.append(link)
      link.click()
    }, foreignSite.url)
    await expect(page.getByText('Elsewhere')).toBeVisible()
  }

  expect(foreignSite.requests).toEqual([{ referer: undefined }, { referer: undefined }])
  await foreignSite.stop()
})

test('T172 T186 sources, source maps and hidden files are not served, and no service worker stays registered', async ({
  page,
  server,
}) => {
  await page.goto('/')
  const scripts = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const bundle = scripts.find((name) => /\/assets\/index-.*\.js$/.test(name))

  for (const address of [`${bundle}.map`, `${server.url}/assets/main.tsx`]) {
    expect((await fetch(address)).status, address).toBe(404)
  }
  for (const path of ['/.env', '/.git/config', '/sallyport.db', '/secrets/salt', '/src/main.tsx']) {
    const answer = await fetch(server.url + path)
    expect([path, answer.headers.get('content-type')?.split(';')[0]]).toEqual([path, 'text/html'])
    expect(await answer.text()).toContain('<div id="root">')
  }
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

test('T186 the service worker script is revalidated each time, and stored bytes cannot be loaded as a script', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File(['window.slipped = true'], 'script.js', { type: 'text/javascript' }))
  await openFiles(page, account)
  const [worker = ''] = readdirSync(webBuild).filter((name) => /^decrypt-worker-\w+\.js$/.test(name))
  const script = await fetch(`${server.url}/${worker}`)

  const bytes = await page.evaluate(async (path) => {
    const { access_token } = JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}')
    const { headers, status } = await fetch(path, { headers: { authorization: `Bearer ${access_token}` } })
    return [status, headers.get('content-type'), headers.get('x-content-type-options')]
  }, `/api/download/${id}`)
  const imported = await page.evaluate(
    (path) =>
      import(path).then(
        () => 'taken',
        (error: unknown) => (error instanceof Error ? error.name : 'refused'),
      ),
    `/api/download/${id}`,
  )

  expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(bytes).toEqual([200, 'application/octet-stream', 'nosniff'])
  expect(imported).toBe('TypeError')
  expect(await page.evaluate(() => Reflect.has(window, 'slipped'))).toBe(false)
})
