import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, expectFiles, fileRow, keptKeys, passwordBox, signIn, signOut, signUp } from '../support/people.ts'

test('T037 ACC-12 signing out empties every store of the browser, in the other tabs too', async ({ page, context }) => {
  await signUp(page)
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await expect.poll(() => keptKeys(page)).toHaveLength(2)
  await expect.poll(() => keptKeys(second)).toEqual(await keptKeys(page))

  await signOut(page)

  await expect(second.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  for (const tab of [page, second]) {
    await expect.poll(() => keptKeys(tab)).toEqual([])
    await expect.poll(() => tab.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
    await expect.poll(() => tab.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
    await expect.poll(() => tab.evaluate(async () => (await caches.keys()).length)).toBe(0)
  }
})

test('ACC-12 whoever has signed out stays outside, whatever answers come later', async ({ page }) => {
  await signUp(page)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route('**/auth/v1/user', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const response = await route.fetch()
    answered.resolve()
    await held
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Not now' }).click()
  await answered.promise

  await signOut(page)
  const heard = page.waitForResponse((response) => response.request().method() === 'PUT')
  letGo()
  await (await heard).finished()

  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('ACC-10 a tab that no other can give the key asks for the password, tells a wrong one, and opens with the right one', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  await signIn(page, account)
  await page.close()

  const fresh = await context.newPage()
  await fresh.goto('/')
  await expect(fresh.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await expect(fresh.getByText(account.email)).toBeVisible()
  await passwordBox(fresh, 'Password').fill('not the password')
  await fresh.getByRole('button', { name: 'Unlock' }).click()
  await expect(fresh.getByRole('alert')).toHaveText('This password does not open your key')
  await passwordBox(fresh, 'Password').fill(account.password)
  await fresh.getByRole('button', { name: 'Unlock' }).click()

  await expect(fileRow(fresh, 'kept.txt')).toBeVisible()
})

test('ACC-10 loading the page again needs no password in the same tab', async ({ page }) => {
  await signUp(page)

  await page.reload()

  await expectFiles(page)
  await expect(dropZone(page)).toBeVisible()
})

test('ACC-11 a sign-in that is not remembered ends after three hours, with words', async ({ page, server }) => {
  await page.clock.install()
  await signUp(page)
  const { createdAtMs, expiresAtMs, rememberDevice } = await page.evaluate(() =>
    JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}'),
  )
  expect([rememberDevice, expiresAtMs - createdAtMs]).toEqual([false, 3 * 3_600_000])

  await server.setClock(3 * 3_600_000)
  await page.clock.fastForward('03:00:00')

  await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
  expect(await keptKeys(page)).toEqual([])
})
