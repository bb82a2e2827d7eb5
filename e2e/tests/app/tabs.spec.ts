import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openNewAccount } from '../../support/account/open-files.ts'
import {
  dropZone,
  expectFiles,
  fileRow,
  passwordField,
  signIn,
  signOut,
  signUp,
  storedKeys,
} from '../../support/account/users.ts'
import { recordStart } from '../../support/browser/page-start.ts'
import { expect, test } from '../../support/journey.ts'
import { openPortal } from '../../support/portals/portals.ts'
import { createSession } from '../../support/sessions.ts'

const countDatabases = (page: Page): Promise<number> => page.evaluate(async () => (await indexedDB.databases()).length)

test('T037 ACC-12 sign-out clears all browser storage, in other tabs too', async ({ page, context }) => {
  await signUp(page)
  const second = await context.newPage()
  const started = recordStart(second)
  await second.goto('/')
  await expectFiles(second)
  await expect.poll(() => storedKeys(page)).toHaveLength(2)
  await expect.poll(() => storedKeys(second)).toEqual(await storedKeys(page))
  // A tab that is still loading may show instead that its session has ended.
  await started()

  await signOut(page)

  await expect(second.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  for (const tab of [page, second]) {
    await expect.poll(() => storedKeys(tab)).toEqual([])
    await expect.poll(() => tab.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
    await expect.poll(() => countDatabases(tab)).toBe(0)
    await expect.poll(() => tab.evaluate(async () => (await caches.keys()).length)).toBe(0)
  }
})

test('ACC-12 a tab that looks for a remembered device after a sign-out in another tab creates no database', async ({
  page,
  context,
}) => {
  await signUp(page)
  const second = await context.newPage()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await second.route('**/assets/remembered-device-*.js', async (route) => {
    await released
    await route.continue()
  })
  await second.goto('/')
  await expectFiles(second)

  await signOut(page)
  await expect(second.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => countDatabases(page)).toBe(0)
  const codeReceived = second.waitForResponse('**/assets/remembered-device-*.js')
  release()
  await (await codeReceived).finished()

  await expectNoDatabases(second)
})

test('ACC-12 a tab whose session and portal end with a sign-out in another tab creates no database', async ({
  page,
  context,
}) => {
  await signUp(page)
  const second = await context.newPage()
  await second.goto('/')
  await createSession(second)
  await second.getByRole('link', { name: 'Portal' }).click()
  await openPortal(second)

  await signOut(page)

  await expect(second.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => countDatabases(page)).toBe(0)
  await expectNoDatabases(second)
})

/** Expects no database once the page has done what it still does. Opening a missing one may list it for a moment. */
async function expectNoDatabases(page: Page): Promise<void> {
  await page.waitForTimeout(1000)
  await expect.poll(() => countDatabases(page)).toBe(0)
}

test('ACC-12 a signed-out page stays signed out when late responses arrive', async ({ page }) => {
  await openNewAccount(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const responded = Promise.withResolvers<void>()
  await page.route('**/auth/v1/user', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const response = await route.fetch()
    responded.resolve()
    await released
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Not now' }).click()
  await responded.promise

  await signOut(page)
  const responseReceived = page.waitForResponse((response) => response.request().method() === 'PUT')
  release()
  await (await responseReceived).finished()

  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('ACC-10 a tab that gets no key from another one asks for the password, rejects a wrong one and opens with the correct one', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  await signIn(page, account)
  await page.close()

  const newTab = await context.newPage()
  await newTab.goto('/')
  await expect(newTab.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await expect(newTab.getByText(account.email)).toBeVisible()
  await passwordField(newTab, 'Password').fill('not the password')
  await newTab.getByRole('button', { name: 'Unlock' }).click()
  await expect(newTab.getByRole('alert')).toHaveText('This password doesn’t unlock your files')
  await passwordField(newTab, 'Password').fill(account.password)
  await newTab.getByRole('button', { name: 'Unlock' }).click()

  await expect(fileRow(newTab, 'kept.txt')).toBeVisible()
})

test('ACC-10 a reload needs no password in the same tab', async ({ page }) => {
  await openNewAccount(page)

  await page.reload()

  await expectFiles(page)
  await expect(dropZone(page)).toBeVisible()
})

test('ACC-11 a sign-in that is not remembered ends after 3 hours with a message', async ({ page, server }) => {
  await page.clock.install()
  await signUp(page)
  const { createdAtMs, expiresAtMs, rememberDevice } = await page.evaluate(() =>
    JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}'),
  )
  expect([rememberDevice, expiresAtMs - createdAtMs]).toEqual([false, 3 * 3_600_000])

  await server.setClock(3 * 3_600_000)
  await page.clock.fastForward('03:00:00')

  await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
  expect(await storedKeys(page)).toEqual([])
})
