import { createAccount } from '../../support/account/account.ts'
import { createLicenceKey } from '../../support/account/admin.ts'
import { openNewAccount } from '../../support/account/open-files.ts'
import { fileRow, signIn, signUp } from '../../support/account/users.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { expect, test } from '../../support/journey.ts'

const week = 7 * 24 * 60 * 60 * 1000

test('SET-01 SET-02 a file lifetime is saved with a message for 3 seconds and applies to the next file', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  const choice = page.getByRole('combobox', { name: 'File Expiration Time' })
  await expect(choice).toHaveValue('5')
  expect(await choice.getByRole('option').allTextContents()).toEqual([
    '1 minute',
    '5 minutes',
    '15 minutes',
    '30 minutes',
    '1 hour',
    '3 hours',
    '12 hours',
    '24 hours',
    '3 days',
    '7 days',
  ])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/settings', async (route) => {
    await released
    await route.continue()
  })

  await choice.selectOption('12 hours')
  await page.getByRole('button', { name: 'Save Settings' }).click()

  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  const saved = page.getByText('Settings saved successfully!')
  await pauseClock(page)
  release()
  await stepUntilVisible(saved)
  await expectShownFor(saved, 3000)
  await page.clock.resume()
  await account.upload(new File(['x'], 'half-a-day.txt'))
  await page.getByRole('link', { name: 'Sallyport, your files' }).click()
  await expect(fileRow(page, 'half-a-day.txt').getByText(/^1[12]h \d+m remaining$/)).toBeVisible()
})

test('SET-03 a failure to fetch or save settings shows an error', async ({ page }) => {
  await openNewAccount(page)
  let isReachable = false
  await page.route('**/api/settings', (route) =>
    isReachable ? route.continue() : route.fulfill({ status: 403, body: 'a proxy in between' }),
  )
  await page.goto('/settings')
  await expect(page.getByRole('alert')).toContainText('Failed to fetch settings')

  // A key press does not wait for the button, which a live update of the settings may remove first.
  await page.getByRole('button', { name: 'Retry' }).focus()
  const repeated = page.waitForRequest('**/api/settings')
  isReachable = true
  await page.keyboard.press('Enter')
  await repeated
  const choice = page.getByRole('combobox', { name: 'File Expiration Time' })
  await expect(choice).toHaveValue('5')
  await page.route('**/api/settings', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await choice.selectOption('1 hour')
  await page.getByRole('button', { name: 'Save Settings' }).click()

  await expect(page.getByRole('alert')).toHaveText('Failed to save settings')
  await expect(choice).toHaveValue('60')
})

test('SET-02 without settings from the server the default choices are shown', async ({ page }) => {
  await openNewAccount(page)
  const missing = { success: false, error: 'Not found', code: 'NOT_FOUND' }
  await page.route('**/api/settings', (route) => route.fulfill({ status: 404, json: missing }))

  await page.goto('/settings')

  const choice = page.getByRole('combobox', { name: 'File Expiration Time' })
  await expect(choice).toHaveValue('5')
  const values = await choice
    .getByRole('option')
    .evaluateAll((options) => options.map((one) => Reflect.get(one, 'value')))
  expect(values.map(Number)).toEqual([5, 15, 30, 60, 120, 360, 720, 1440, 4320, 10_080])
})

test('SET-01 the lifetime of the next files can also be changed at the drop zone', async ({ page }) => {
  await openNewAccount(page)
  await expect(page.getByText('New files expire after 5 minutes')).toBeVisible()

  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('menuitemradio', { name: '3 hours' }).click()

  await expect(page.getByText('New files expire after 3 hours')).toBeVisible()
  await expectToast(page, 'Settings saved successfully!')
  await page.reload()
  await expect(page.getByText('New files expire after 3 hours')).toBeVisible()
})

test('SET-04 a trial user sees its storage and end date and is offered the plans', async ({ page }) => {
  const formatDateIn = (milliseconds: number) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.now() + milliseconds)
  const dateBefore = formatDateIn(week)
  await signUp(page)
  const dateAfter = formatDateIn(week)
  await page.goto('/settings')
  const pane = page.getByRole('region', { name: 'Subscription & Billing' })
  await expect(pane.getByText('Trial')).toBeVisible()
  await expect(pane.getByText('0 Bytes of 1.00 GB')).toBeVisible()
  // Around midnight both dates are possible.
  await expect(pane.getByText(new RegExp(`${dateBefore}|${dateAfter}`))).toBeVisible()

  await pane.getByRole('button', { name: 'Upgrade' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upgrade Your Plan' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  await pane.getByRole('button', { name: 'Upgrade' }).click()
  await dialog.getByRole('button', { name: 'Subscribe Now' }).click()
  await expect(page.getByRole('heading', { name: 'The Personal plan' })).toBeVisible()
})

test('SHL-12 a navigation list next to the settings leads to each section on wide screens', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await openNewAccount(page)
  await page.goto('/settings')
  const list = page.getByRole('navigation', { name: 'Sections' })
  await expect(list.getByRole('link', { name: 'Files' })).toHaveAttribute('aria-current', 'true')

  await list.getByRole('link', { name: 'Devices' }).focus()
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: 'Devices' })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await expect(list.getByRole('link', { name: 'Devices' })).toHaveAttribute('aria-current', 'true')
  expect(new URL(page.url()).hash).toBe('')

  await page.mouse.move(640, 400)
  await page.mouse.wheel(0, -10_000)
  await expect(list.getByRole('link', { name: 'Files' })).toHaveAttribute('aria-current', 'true')
  const names = await list.getByRole('link').allTextContents()
  const headings = await page.getByRole('heading', { level: 2 }).count()
  expect(names).toHaveLength(headings)
  await page.setViewportSize({ width: 900, height: 860 })
  await expect(list).toBeHidden()
})

test('ACC-21 a licence key is added to the account in the settings, once', async ({ page, server }) => {
  const key = await createLicenceKey(server, '--type', 'vip', '--storage-gb', '80')
  await openNewAccount(page)
  await page.goto('/settings')
  const billing = page.getByRole('region', { name: 'Subscription & Billing' })
  await billing.getByRole('button', { name: 'I have a licence key' }).click()
  const field = billing.getByRole('textbox', { name: 'Licence key' })
  await field.fill('AAAAA-BBBBB-CCCCC-DDDDD')
  await field.press('Enter')
  await expect(billing.getByRole('alert')).toHaveText('This licence key is not valid')

  await field.fill(key.toLowerCase())
  await billing.getByRole('button', { name: 'Add to my account' }).click()
  await expectToast(page, 'Licence added')
  await expect(billing.getByText('VIP', { exact: true })).toBeVisible()
  await expect(billing.getByText('80.00 GB')).toBeVisible()

  await billing.getByRole('button', { name: 'I have a licence key' }).click()
  await field.fill(key)
  await field.press('Enter')
  await expect(billing.getByRole('alert')).toHaveText('This licence key has been used up')
})
