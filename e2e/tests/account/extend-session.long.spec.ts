import type { Route } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openDialog, storedSession } from '../../support/account/extend-session.ts'
import { expectFiles, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('ACC-11 an extension that fails leaves the auth session, its lifetime and the keys as they are', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  const dialog = await openDialog(page, server)
  const before = await storedSession(page)
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)

  const failures: [path: string, fail: (route: Route) => Promise<void>][] = [
    ['**/api/auth/prelogin', (route) => route.abort()],
    ['**/api/login', (route) => route.abort('connectionreset')],
    ['**/api/login', (route) => route.fulfill({ status: 401, body: 'a proxy in between' })],
    ['**/auth/v1/user', (route) => route.abort()],
    ['**/auth/v1/user', (route) => route.fulfill({ status: 502, body: '' })],
  ]
  for (const [path, fail] of failures) {
    await page.route(path, fail)
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await expect(dialog.getByRole('button', { name: 'Stay signed in' })).toBeEnabled()
    expect(await storedSession(page)).toEqual(before)
    await page.unroute(path)
  }

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expectFiles(page)
})
