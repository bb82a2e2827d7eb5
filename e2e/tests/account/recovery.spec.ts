import type { Page } from '@playwright/test'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import {
  choosePassword,
  followRecoveryLink,
  requestRecoveryLink,
  saveRecoveryKey,
} from '../../support/account/recovery.ts'
import { enterPassword, expectFiles, fileRow, signIn } from '../../support/account/users.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'

test.use({ verifyAddresses: false })

test('ACC-15 T061 with the recovery key a password reset keeps all files readable', async ({ page, mail, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'), 60)
  const recoveryKey = await saveRecoveryKey(account)
  const password = newPassword()

  const link = await requestRecoveryLink(page, account.email, mail)
  for (const method of ['GET', 'HEAD']) await fetch(server.url + link.replace('#', '?'), { method })
  await followRecoveryLink(page, link)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('textbox', { name: 'Recovery key' }).fill('AAAA-BBBB')
  await choosePassword(page, password)
  await expect(page.getByRole('alert')).toContainText('This recovery key is incomplete or mistyped')

  await page.getByRole('textbox', { name: 'Recovery key' }).fill(recoveryKey.toLowerCase())
  const shownGroups = page.getByRole('list').getByRole('listitem')
  await expect(shownGroups).toHaveText(recoveryKey.split('-').map((group, index) => `${index + 1}${group}`))
  await choosePassword(page, password)
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await page.waitForURL('**/dashboard')
  await expectFiles(page)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()

  await clearBrowser(page)
  await signIn(page, { email: account.email, password })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await clearBrowser(page)
  await enterPassword(page, account)
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
})

test('ACC-15 ACC-16 without a recovery key the page says what will be lost and requires confirmation', async ({
  page,
  mail,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['a'], 'a.txt'), 60)
  await account.upload(new File(['b'], 'b.txt'), 60)
  const password = newPassword()
  await page.clock.install()

  await followRecoveryLink(page, await requestRecoveryLink(page, account.email, mail))
  await expect(page.getByText('Your 2 files can no longer be decrypted')).toBeVisible()
  await choosePassword(page, 'short')
  await expect(page.getByRole('alert')).toHaveText('Password must be at least 6 characters')
  await choosePassword(page, password, `${password}x`)
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match')
  await choosePassword(page, password)
  await expect(page.getByRole('alert')).toHaveText('Confirm that you understand these files will be lost')

  await page.getByLabel('I understand that these files will be lost').check()
  // Otherwise the page would continue before the click.
  await pauseClock(page)
  await choosePassword(page, password)
  await stepUntilVisible(page.getByText('2 files can no longer be decrypted.'))
  await page.getByRole('link', { name: 'Go now' }).click()
  await page.clock.resume()
  await expectFiles(page)
  const lostFiles = page.getByText(
    '2 files from before your new key can’t be decrypted any more. They’ll be deleted when they expire.',
  )
  await expect(lostFiles).toBeVisible()
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await page.getByRole('button', { name: 'Delete now' }).click()
  await expect(lostFiles).toBeHidden()
})

test('ACC-15 a reset request gets the same answer for unknown addresses, and missing, made-up or used links show an error', async ({
  page,
  mail,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.goto('/#forgot')
  const unknownAddress = newEmail()
  await page.getByRole('textbox', { name: 'Email' }).fill(unknownAddress)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(`If there’s an account for ${unknownAddress}, a link is on its way.`)).toBeVisible()

  for (const address of ['/set-password', '/set-password?token=abc', '/set-password?token=abc&type=email']) {
    await page.goto(address)
    await expect(page.getByRole('alert')).toContainText('Invalid or missing password setup link')
  }
  await page.goto('/set-password?token=madeup&type=recovery&email=x%40example.org')
  await expect(page.getByRole('alert')).toContainText(
    'Invalid or expired recovery link. Please request a new invitation.',
  )

  const link = await requestRecoveryLink(page, account.email, mail)
  await followRecoveryLink(page, link)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This link has already been used')
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(account.email)
  expect(mail.emails.filter(({ to }) => to?.[0]?.address === unknownAddress)).toEqual([])
})

/** Clears the browser as if it had never been here. */
async function clearBrowser(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.goto('about:blank')
}
