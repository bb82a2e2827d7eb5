import { chromium, type Page } from '@playwright/test'
import { signIns } from '@sallyport/contract/sign-ins'
import { createAccount } from '../support/account.ts'
import { guard } from '../support/guard.ts'
import { expect, test } from '../support/journey.ts'
import {
  countRemembered,
  dropZone,
  expectFiles,
  fileRow,
  keptKeys,
  passwordBox,
  rememberedSignIn,
  signIn,
  signOut,
} from '../support/people.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('ACC-11 T037 a remembered browser that is started again opens by itself; one that is not asks for the password', async ({
  folder,
  server,
  complaints,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  /** A browser whose profile lies on disk, as those of people do. */
  async function startBrowser() {
    const browser = await chromium.launchPersistentContext(`${folder}/profile`, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '',
      baseURL: server.url,
      args: ['--no-sandbox'],
    })
    await guard(browser, complaints)
    return browser
  }
  let browser = await startBrowser()
  await rememberedSignIn(await browser.newPage(), account)
  await browser.close()

  browser = await startBrowser()
  const again = await browser.newPage()
  await again.goto('/')
  await expect(fileRow(again, 'kept.txt')).toBeVisible()
  expect(await keptKeys(again)).toHaveLength(2)
  expect(await storedText(again)).not.toContain((await keptKeys(again))[1])
  await signOut(again)
  await expect.poll(() => again.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  await signIn(again, account)
  await browser.close()

  browser = await startBrowser()
  const locked = await browser.newPage()
  await locked.goto('/')
  await expect(locked.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  expect(await locked.evaluate(async () => (await indexedDB.databases()).length)).toBeLessThan(2)
  await browser.close()
})

test('what a remembered device keeps opens nothing once its sign-in was ended from another device', async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await rememberedSignIn(page, account)
  const kept = await countRemembered(page)
  const elsewhere = await (await anotherBrowser()).newPage()
  await elsewhere.goto(server.url)
  await signIn(elsewhere, account)
  await openDevices(elsewhere)

  await elsewhere.getByRole('button', { name: 'Sign Out All Others' }).click()
  await elsewhere.getByRole('alertdialog').getByRole('button', { name: 'Sign Out All Others' }).click()

  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(kept).toBe(1)
  await expect.poll(() => countRemembered(page)).toBe(0)
  expect(await keptKeys(page)).toEqual([])
  await expect(elsewhere.getByText('You are signed in on this device only.')).toBeVisible()
  const again = await context.newPage()
  await again.goto('/')
  await expect(again.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('T064 a device that is signed out from another one says so within five seconds, and only that one', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const telephone = await anotherBrowser({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0) Version/20.0 Mobile Safari/604.1',
  })
  const stolen = await telephone.newPage()
  await stolen.goto(server.url)
  await signIn(stolen, account)
  await openDevices(page)
  const row = page.getByRole('listitem').filter({ hasText: 'Safari on iPhone' })
  await expect(row.getByText('Last used just now')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)
  // The page that made the account beside the browser is the third.
  await expect(page.getByRole('region', { name: 'Devices' }).getByRole('listitem')).toHaveCount(3)

  await row.getByRole('button', { name: 'Sign Out: Safari on iPhone' }).click()

  await expect(stolen.getByText('Your session has expired. Please log in again.')).toBeVisible({ timeout: 5000 })
  expect(await keptKeys(stolen)).toEqual([])
  await expect(row).toBeHidden()
  await expect(page.getByRole('region', { name: 'Devices' }).getByRole('listitem')).toHaveCount(2)
})

test('ACC-13 a page that is opened after the server has ended its sign-in says so before it asks for another', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await page.goto('/favicon.svg')
  await account.call(signIns.endOthers, {})
  // As after an hour, when the page would ask for another token at once.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}')
    localStorage.setItem('sallyport-auth', JSON.stringify({ ...kept, expires_at: 1 }))
  })

  await page.goto('/')

  const notice = page.getByRole('alertdialog')
  await expect(notice).toContainText('Your session has expired. Please log in again.')
  expect(await keptKeys(page)).toEqual([])
  await notice.getByRole('button').click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

for (const [which, offMs] of [
  ['behind', -day],
  ['ahead', day],
] as const) {
  test(`ACC-11 T066 with a clock that is a day ${which} somebody stays signed in as long as the server says`, async ({
    page,
    server,
  }) => {
    const account = await createAccount(server.url)
    await page.clock.install({ time: Date.now() + offMs })
    await signIn(page, account)

    await server.setClock(3 * hour - 5 * minute)
    await page.reload()
    await expectFiles(page)
    // Away from the page, which would otherwise tell of the end before it is loaded anew.
    await page.goto('/favicon.svg')
    await server.setClock(3 * hour)
    await page.goto('/')

    await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
    await page.getByRole('alertdialog').getByRole('button').click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    expect(await keptKeys(page)).toEqual([])
  })
}

test('a list of devices that cannot be fetched is told in words, and asked for again', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await page.route('**/api/account/sign-ins', (route) => route.fulfill({ status: 403, body: 'a proxy in between' }))
  await page.goto('/settings')
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices.getByRole('alert')).toBeVisible()

  await page.unrouteAll()
  await devices.getByRole('button', { name: 'Retry' }).click()

  await expect(devices.getByText('This device')).toBeVisible()
})

test('FIL-09 a second tab opens without asking, and changing the password keeps a remembered device remembered', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await rememberedSignIn(page, account)
  await page.goto('/settings')
  await passwordBox(page, 'Current password').fill(account.password)
  await passwordBox(page, 'New password').fill('another gate 77')
  await passwordBox(page, 'Confirm new password').fill('another gate 77')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await page.close()
  await second.close()

  const alone = await context.newPage()
  await alone.goto('/')

  await expectFiles(alone)
  await expect(dropZone(alone)).toBeVisible()
})

const storedText = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }))

async function openDevices(page: Page): Promise<void> {
  await page.goto('/settings')
  await expect(page.getByRole('region', { name: 'Devices' }).getByText('This device')).toBeVisible()
}
