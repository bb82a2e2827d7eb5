import { chromium, type Page } from '@playwright/test'
import { authSessions } from '@sallyport/contract/auth-sessions'
import { createAccount } from '../../support/account/account.ts'
import { fillPasswordChange, openDevices } from '../../support/account/security.ts'
import {
  dropZone,
  expectFiles,
  fileRow,
  signIn,
  signInRemembered,
  signOut,
  storedKeys,
} from '../../support/account/users.ts'
import { executablePath } from '../../support/browser/executable-path.ts'
import { watchForErrors } from '../../support/browser/guard.ts'
import { expect, test } from '../../support/journey.ts'

test('ACC-11 T037 a restarted browser unlocks by itself if it is remembered, and asks for the password otherwise', async ({
  folder,
  server,
  pageErrors,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  /** A browser with a profile on disk, as users have. */
  async function startBrowser() {
    const browser = await chromium.launchPersistentContext(`${folder}/profile`, {
      executablePath,
      baseURL: server.url,
      args: ['--no-sandbox'],
    })
    await watchForErrors(browser, pageErrors)
    return browser
  }
  let browser = await startBrowser()
  await signInRemembered(await browser.newPage(), account)
  await browser.close()

  browser = await startBrowser()
  const again = await browser.newPage()
  await again.goto('/')
  await expect(fileRow(again, 'kept.txt')).toBeVisible()
  expect(await storedKeys(again)).toHaveLength(2)
  expect(await readLocalStorage(again)).not.toContain((await storedKeys(again))[1])
  await signOut(again)
  await expect.poll(() => again.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  await signIn(again, account)
  await browser.close()

  browser = await startBrowser()
  const lockedPage = await browser.newPage()
  await lockedPage.goto('/')
  await expect(lockedPage.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  expect(await lockedPage.evaluate(async () => (await indexedDB.databases()).length)).toBeLessThan(2)
  await browser.close()
})

test('T064 a device signed out by another one shows it, and no other device is signed out', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const phoneContext = await anotherBrowser({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0) Version/20.0 Mobile Safari/604.1',
  })
  const phonePage = await phoneContext.newPage()
  await phonePage.goto(server.url)
  await signIn(phonePage, account)
  await openDevices(page)
  const row = page.getByRole('listitem').filter({ hasText: 'Safari on iPhone' })
  await expect(row.getByText('Last used just now')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)
  // The API client that created the account is the third.
  await expect(page.getByRole('region', { name: 'Devices' }).getByRole('listitem')).toHaveCount(3)

  await row.getByRole('button', { name: 'Sign Out: Safari on iPhone' }).click()

  await expect(phonePage.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(await storedKeys(phonePage)).toEqual([])
  await expect(row).toBeHidden()
  await expect(page.getByRole('region', { name: 'Devices' }).getByRole('listitem')).toHaveCount(2)
})

test('ACC-13 a page opened after its sign-in was revoked shows a message before it asks to sign in', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await page.goto('/favicon.svg')
  await account.call(authSessions.endOthers, {})
  // Expires the access token, so that the page refreshes it at once.
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}')
    localStorage.setItem('sallyport-auth', JSON.stringify({ ...stored, expires_at: 1 }))
  })

  await page.goto('/')

  const notice = page.getByRole('alertdialog')
  await expect(notice).toContainText('Your session has expired. Please log in again.')
  expect(await storedKeys(page)).toEqual([])
  await notice.getByRole('button').click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('a failed device list shows an error and can be retried', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await page.route('**/api/account/sign-ins', (route) => route.fulfill({ status: 403, body: 'a proxy in between' }))
  await page.goto('/settings')
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices.getByRole('alert')).toBeVisible()

  await page.unrouteAll()
  await devices.getByRole('button', { name: 'Retry' }).click()

  await expect(devices.getByText('This device')).toBeVisible()
})

test('recent sign-ins are listed on request, and a failed list can be retried', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await page.route('**/api/account/sign-in-history', (route) => route.fulfill({ status: 403, body: 'a proxy' }))
  await openDevices(page)
  const devices = page.getByRole('region', { name: 'Devices' })
  await devices.getByRole('button', { name: 'Show recent sign-ins' }).press('Enter')
  await expect(devices.getByRole('alert')).toBeVisible()

  await page.unrouteAll()
  await devices.getByRole('button', { name: 'Retry' }).click()

  const signIns = devices.getByRole('list', { name: 'Recent sign-ins' }).getByRole('listitem')
  await expect(signIns.first()).toContainText('Chrome on Linux')
  await devices.getByRole('button', { name: 'Hide recent sign-ins' }).press('Enter')
  await expect(signIns).toHaveCount(0)
})

test('FIL-09 a second tab unlocks by itself, and a password change keeps a remembered device', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await signInRemembered(page, account)
  await page.goto('/settings')
  const next = 'another gate 77'
  await fillPasswordChange(page, { current: account.password, next, confirmation: next })
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await page.close()
  await second.close()

  const reopened = await context.newPage()
  await reopened.goto('/')

  await expectFiles(reopened)
  await expect(dropZone(reopened)).toBeVisible()
})

const readLocalStorage = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }))
