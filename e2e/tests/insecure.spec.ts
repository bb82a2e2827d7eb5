import { checkAccessibility } from '../support/check-accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'

test('T189 over plain HTTP from another machine the page says that HTTPS is required, and asks for nothing', async ({
  page,
  server,
}) => {
  const asked: string[] = []
  // The browser decides by the address alone whether a page is to be trusted with cryptography.
  await page.route('http://files.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    asked.push(pathname)
    const response = await route.fetch({ url: server.url + pathname + search, maxRedirects: 0 })
    await route.fulfill({ response })
  })

  for (const path of ['/', '/s/AAAAAAAAAAAAAAAAAAAAAA#key', '/set-password?token=abc&type=recovery']) {
    await page.goto(`http://files.example${path}`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await expect(page.getByRole('heading', { name: 'HTTPS required' })).toBeVisible()
    const way = page.getByRole('link', { name: 'Open over HTTPS' })
    await expect(way).toHaveAttribute('href', `https://files.example${path}`)
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }

  expect(await page.title()).toContain('HTTPS required')
  expect(asked.filter((path) => /^\/(api|auth\/v1)/.test(path))).toEqual([])
  await tabTo(page, /Open over HTTPS/)
  expect(await checkAccessibility(page)).toEqual([])
})

test('T189 on the machine itself plain HTTP is enough', async ({ page, server }) => {
  await page.goto(server.url.replace('127.0.0.1', 'localhost'))

  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByText('HTTPS required')).toHaveCount(0)
})

test('T190 SHL-09 an error screen tells where it broke and holds no token, nor does what is copied of it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const token = 'Ab3xYz-9Qw_Er7Ty-Ui5OpAs'
  const pages = {
    [`/invite/${token}`]: 'invite-route',
    [`/auth/confirm?token_hash=${token}&type=email`]: 'confirm-page',
    [`/set-password?token=${token}&type=recovery&email=ann%40example.org`]: 'set-password-route',
    [`/s/${token}#${token}`]: 'share-page',
  }

  for (const [path, part] of Object.entries(pages)) {
    await page.route(`**/assets/${part}-*.js`, (route) => route.abort('connectionrefused'))
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.locator('pre')).toContainText(part)
    await page.getByRole('button', { name: 'Copy details' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(part)
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    const shown = await page.locator('html').textContent()
    for (const text of [copied, shown, await page.title()]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain('example.org')
    }
    await page.evaluate(() => navigator.clipboard.writeText(''))
  }
})
