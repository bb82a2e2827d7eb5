import { openNewAccount } from '../../support/account/open-files.ts'
import { expectFiles, fileRow, passwordField } from '../../support/account/users.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

test('SHL-09 an unknown URL shows the error screen of the router with the status and a link home', async ({ page }) => {
  await page.goto('/no/such/place')

  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('404 Not Found')).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('SHL-09 a page that fails to load shows the error screen of the router with message and stack', async ({
  page,
}) => {
  await page.route('**/assets/signed-out-*.js', (route) => route.abort('connectionrefused'))

  await page.goto('/')

  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.locator('pre')).toContainText('signed-out')
})

test('SHL-08 a failed screen keeps the bar around it, shows an error and reloads on request', async ({ page }) => {
  await openNewAccount(page)
  const body = 'throw new Error("Broken")'
  await page.route('**/assets/settings-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()

  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload Page' }).click()

  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('SHL-08 an open page loads the newer build when it needs a chunk that no longer exists', async ({ page }) => {
  await openNewAccount(page)
  await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.route('/', (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    return route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/newer.js"></script>' })
  })
  const reloaded = page.waitForEvent('load')

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await reloaded

  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('SHL-01 SHL-05 the bar shows brand and address, and /dashboard shows the files', async ({ page }) => {
  const { email } = await openNewAccount(page)

  await page.goto('/dashboard')

  await expectFiles(page)
  await expect(page.getByRole('banner')).toContainText('Sallyport')
  await expect(page.getByRole('banner')).toContainText(email)
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Sign Out'])
})

test('the theme is restored at the next visit before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openNewAccount(page)
  const backgroundColor = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await backgroundColor()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()

  await expect.poll(backgroundColor).not.toBe(light)
  const dark = await backgroundColor()
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await expectFiles(page)
  expect(await backgroundColor()).toBe(dark)
})

test('everything from sign-up to deleting a file works by keyboard alone', async ({ page, context, folder }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const file = await makeRandomFile({ folder, name: 'by-keyboard.txt', bytes: 100 })
  page.on('filechooser', (chooser) => chooser.setFiles(file.path))
  await page.goto('/')
  const press = (key: string) => page.keyboard.press(key)

  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await tabTo(page, /^\s*Sign In\s*$/)
  await press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
  await press('Enter')
  await tabTo(page, /^\s*Start trial\s*$/)
  await press('Enter')
  await expect(passwordField(page, 'Confirm password')).toBeVisible()
  await tabTo(page, /^\s*Email\s*$/)
  await page.keyboard.type('keys@example.org')
  await tabTo(page, /^\s*Password\s*$/)
  await page.keyboard.type('only keys here')
  await tabTo(page, /^\s*Confirm password\s*$/)
  await page.keyboard.type('only keys here')
  await press('Enter')
  await expectFiles(page)

  await tabTo(page, /^\s*Choose Files\s*$/)
  await press('Enter')
  await expect(fileRow(page, 'by-keyboard.txt')).toBeVisible()
  await tabTo(page, /^\s*(Copied!)?\s*Copy Link/)
  await press('Enter')
  await expect(page.getByRole('button', { name: /Copied!/ })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/s/')
  await tabTo(page, /^\s*Delete.*by-keyboard/)
  await press('Enter')
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await press('Tab')
  await press('Enter')

  await expect(page.getByText('Upload files to see them here')).toBeVisible()
})

test('the first stop of the keyboard skips the bar', async ({ page }) => {
  await openNewAccount(page)
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await expect(skip).not.toBeInViewport()

  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('main')).toBeFocused()
})

const sourceUrl = 'https://files.example.org/source'

/** Journeys against a server whose source code is public. */
const testWithSource = test.extend({
  server: async ({ browserName: _ }, use) => {
    const server = await startServer({ environment: { SOURCE_URL: sourceUrl } })
    await use(server)
    await server.stop()
  },
})

testWithSource(
  'the settings lead to the licences of what the page contains, and to the source code',
  async ({ page }) => {
    await openNewAccount(page)
    await page.goto('/settings')
    const link = page.getByRole('link', { name: 'Open-source licences' })
    const response = await page.request.get((await link.getAttribute('href')) ?? '')

    expect(response.headers()['content-type']).toMatch(/^text\/plain/)
    expect(await response.text()).toContain('react-dom')
    const source = page.getByRole('link', { name: 'Source code of this server' })
    await expect(source).toHaveAttribute('href', sourceUrl)
  },
)
