import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { expectFiles, fileRow, passwordBox, signUp } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

test('SHL-09 an unknown address shows the router’s screen with the status, and leads home', async ({ page }) => {
  await page.goto('/no/such/place')

  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('404 Not Found')).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('SHL-09 a page that cannot be loaded shows the router’s screen with the message and the stack', async ({
  page,
}) => {
  await page.route('**/assets/account-layout-*.js', (route) => route.abort('connectionrefused'))

  await page.goto('/')

  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.locator('pre')).toContainText('account-layout')
})

test('SHL-08 a screen that stops keeps the bar around it, says so, and loads again on request', async ({ page }) => {
  await signUp(page)
  await page.route('**/assets/settings-*.js', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()

  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload Page' }).click()

  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('SHL-08 a page that is open while the server is given a newer build loads that build when it needs a part that is gone', async ({
  page,
}) => {
  await signUp(page)
  await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.route('/', (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    return route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/newer.js"></script>' })
  })
  const loadedAgain = page.waitForEvent('load')

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await loadedAgain

  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('SHL-01 SHL-05 the bar shows brand and address, and /dashboard shows the files', async ({ page }) => {
  const { email } = await signUp(page)

  await page.goto('/dashboard')

  await expectFiles(page)
  await expect(page.getByRole('banner')).toContainText('Sallyport')
  await expect(page.getByRole('banner')).toContainText(email)
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Settings', 'Sign Out'])
})

test('a theme is kept for the next visit and set before anything is drawn', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signUp(page)
  const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await shade()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()

  await expect.poll(shade).not.toBe(light)
  const dark = await shade()
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await expectFiles(page)
  expect(await shade()).toBe(dark)
})

test('everything from signing up to deleting a file can be done with the keyboard alone', async ({
  page,
  context,
  folder,
}) => {
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
  await expect(passwordBox(page, 'Confirm password')).toBeVisible()
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
