import { createAccount } from '../../support/account/account.ts'
import { addAuthenticatorApp, enterBackupCode, enterMfaCode } from '../../support/account/mfa.ts'
import { openSettings } from '../../support/account/security.ts'
import { enterPassword, expectFiles, fileRow, passwordField, signIn, signOut } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('ACC-18 T076 an authenticator app is added, required at the next sign-in, rejects a reused code and is removed', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'behind two steps.txt'), 60)
  await signIn(page, account)
  const codes = await addAuthenticatorApp(page)
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await enterMfaCode(page, '000000')
  await expect(page.getByRole('alert')).toContainText('Incorrect code.')
  const usedCode = codes.nextCode()
  await enterMfaCode(page, usedCode)
  await expect(fileRow(page, 'behind two steps.txt')).toBeVisible()

  await signOut(page)
  await enterPassword(page, account)
  await enterMfaCode(page, usedCode)
  await expect(page.getByRole('alert')).toContainText('Incorrect code.')
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()

  await enterPassword(page, account)
  await enterMfaCode(page, await codes.unusedCode())
  await expectFiles(page)
  await openSettings(page)
  await page.getByRole('button', { name: /^Remove: My authenticator app/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Not set up yet.')).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expectFiles(page)
})

test('ACC-18 a page reloaded between password and code asks for the code, then for the password again', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const codes = await addAuthenticatorApp(page)
  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()

  await page.reload()
  await enterMfaCode(page, codes.nextCode())
  await expect(page.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await passwordField(page, 'Password').fill(account.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectFiles(page)
})

test('ACC-18 backup codes are shown once, replace the app once each, and are replaced by new ones', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addAuthenticatorApp(page)
  await openSettings(page)
  await expect(page.getByText('You have no backup codes.')).toBeVisible()
  await page.getByRole('button', { name: 'Create backup codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your backup codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10 codes left.')).toBeVisible()
  await signOut(page)

  const [first = ''] = codes
  await enterPassword(page, account)
  await enterBackupCode(page, first)
  await expectFiles(page)
  await openSettings(page)
  await expect(page.getByText('9 codes left.')).toBeVisible()
  await signOut(page)

  await enterPassword(page, account)
  await enterBackupCode(page, first)
  await expect(page.getByRole('alert')).toHaveText('This backup code is invalid or has already been used')
})
