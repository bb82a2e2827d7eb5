import { createAccount } from '../../support/account/account.ts'
import { addAuthenticatorApp, createBackupCodes, enterBackupCode, enterMfaCode } from '../../support/account/mfa.ts'
import { confirmPassword, openSettings, reauthAfterMs, reauthDialog } from '../../support/account/security.ts'
import { enterPassword, expectFiles, fileRow, passwordField, signIn, signOut } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
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

test('T057 an older sign-in asks for the password before adding an app, rejects a wrong one, and works by keyboard', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await server.setClock(reauthAfterMs)
  await openSettings(page)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  const passwordInput = reauthDialog(page).getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(passwordInput).toBeFocused()
  expect(await checkAccessibility(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(reauthDialog(page)).toBeHidden()
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was changed. Confirm your password to continue.')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(passwordInput).toBeFocused()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await expect(reauthDialog(page).getByText('That password isn’t right. Try again.')).toBeVisible()
  await passwordInput.fill(account.password)
  await page.keyboard.press('Enter')

  await expect(reauthDialog(page)).toBeHidden()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
})

test('T057 an older sign-in asks for the password before replacing backup codes and removing an app', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addAuthenticatorApp(page)
  await createBackupCodes(page)
  await server.setClock(reauthAfterMs)

  await page.getByRole('button', { name: 'Create new codes' }).click()
  await confirmPassword(page, account.password)
  await expect(page.getByRole('dialog', { name: 'Your backup codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await server.setClock(2 * reauthAfterMs)
  await page.getByRole('button', { name: /^Remove: My authenticator app/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await confirmPassword(page, account.password)

  await expect(page.getByText('Not set up yet.')).toBeVisible()
})

test('ACC-18 sign-in with a wrong code and a backup code works by keyboard alone', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addAuthenticatorApp(page)
  const [code = ''] = await createBackupCodes(page)
  await signOut(page)
  const { keyboard } = page
  await page.goto('/')

  await tabTo(page, /^\s*Email or phone number\s*$/)
  await keyboard.type(account.email)
  await tabTo(page, /^\s*Password\s*$/)
  await keyboard.type(account.password)
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Code', exact: true })).toBeFocused()
  await keyboard.type('000000')
  await keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Incorrect code.')
  await tabTo(page, /^\s*Use a backup code\s*$/)
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Backup code' })).toBeFocused()
  await keyboard.type(code)
  await keyboard.press('Enter')
  await expectFiles(page)
})
