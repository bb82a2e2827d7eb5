import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { expect, test } from '../../support/journey.ts'

test('T189 over plain HTTP from another machine the page only says that HTTPS is required', async ({
  page,
  server,
}) => {
  const requestedPaths: string[] = []
  // The browser decides by the origin alone whether the context is secure.
  await page.route('http://files.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    requestedPaths.push(pathname)
    const response = await route.fetch({ url: server.url + pathname + search, maxRedirects: 0 })
    await route.fulfill({ response })
  })

  for (const path of ['/', '/s/AAAAAAAAAAAAAAAAAAAAAA#key', '/set-password?token=abc&type=recovery']) {
    await page.goto(`http://files.example${path}`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await expect(page.getByRole('heading', { name: 'HTTPS required' })).toBeVisible()
    const httpsLink = page.getByRole('link', { name: 'Open over HTTPS' })
    await expect(httpsLink).toHaveAttribute('href', `https://files.example${path}`)
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }

  expect(await page.title()).toContain('HTTPS required')
  expect(requestedPaths.filter((path) => /^\/(api|auth\/v1)/.test(path))).toEqual([])
  await tabTo(page, /Open over HTTPS/)
  expect(await checkAccessibility(page)).toEqual([])
})

test('T189 where the browser blocks site data, the page says so, and shared files still open', async ({
  page,
  server,
}) => {
  const { link } = await shareByLink(server.url, new File(['north'], 'plan.txt'))
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })

  for (const path of ['/', '/settings', '/portal', '/invite/AAAAAAAAAAAAAAAAAAAAAA']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Site data is blocked' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reload Page' })).toBeVisible()
  }
  expect(await checkAccessibility(page)).toEqual([])
  await page.goto(link)

  await expect(page.getByRole('heading', { name: 'plan.txt' })).toBeVisible()
})

test('T189 on localhost plain HTTP is enough', async ({ page, server }) => {
  await page.goto(server.url.replace('127.0.0.1', 'localhost'))

  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByText('HTTPS required')).toHaveCount(0)
})

test('T190 SHL-09 an error screen shows where it failed and contains no token, nor do its copied details', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const token = 'Ab3xYz-9Qw_Er7Ty-Ui5OpAs'
  const pages = {
    [`/invite/${token}`]: 'invitation-pages',
    [`/join-org/${token}`]: 'invitation-pages',
    [`/accept-invite/${token}`]: 'invitation-pages',
    [`/auth/confirm?token_hash=${token}&type=email`]: 'confirm-page',
    [`/set-password?token=${token}&type=recovery&email=ann%40example.org`]: 'set-password-route',
    [`/s/${token}#${token}`]: 'share-page',
  }

  for (const [path, chunkName] of Object.entries(pages)) {
    const body = 'throw new Error(location.href)'
    await page.route(`**/assets/${chunkName}-*.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.locator('pre')).toContainText(chunkName)
    await page.getByRole('button', { name: 'Copy details' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(chunkName)
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    const shown = await page.locator('html').textContent()
    for (const text of [copied, shown, await page.title()]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain('example.org')
    }
    await page.evaluate(() => navigator.clipboard.writeText(''))
  }
})
