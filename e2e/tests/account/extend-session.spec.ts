import { createAccount } from '../../support/account/account.ts'
import { elapsedMs, minute, openDialog, storedSession } from '../../support/account/extend-session.ts'
import { addAuthenticatorApp, createBackupCodes, enterBackupCode } from '../../support/account/mfa.ts'
import { expectFiles, signIn } from '../../support/account/users.ts'
import { moveClocks } from '../../support/browser/move-clocks.ts'
import { expect, test } from '../../support/journey.ts'

test('ACC-18 a second factor that is cancelled leaves the auth session; a backup code completes its extension', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  await addAuthenticatorApp(page)
  const [backupCode = ''] = await createBackupCodes(page)
  const dialog = await openDialog(page, server)
  const before = await storedSession(page)

  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  const ended = page.waitForResponse('**/auth/v1/logout*')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect((await ended).ok()).toBe(true)
  expect(await storedSession(page)).toEqual(before)

  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await enterBackupCode(page, backupCode)
  await expect(dialog).toBeHidden()
  expect((await storedSession(page)).sessionId).not.toBe(before.sessionId)
  await moveClocks(page, server, { aheadMs: elapsedMs + 10 * minute, byMs: 10 * minute })
  await page.goto('/')
  await expectFiles(page)
})
