import { createAccount } from '../../support/account/account.ts'
import { addAuthenticatorApp, createBackupCodes } from '../../support/account/mfa.ts'
import { confirmPassword, openSettings, reauthAfterMs, reauthDialog } from '../../support/account/security.ts'
import { expectFiles, signIn, signOut } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { expect, test } from '../../support/journey.ts'

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
