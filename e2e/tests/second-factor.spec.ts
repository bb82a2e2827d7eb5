import { createAccount } from '../support/account.ts'
import { checkAccessibility } from '../support/check-accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { enterPassword, expectFiles, fileRow, passwordBox, signIn, signOut } from '../support/people.ts'
import { addApp, giveBackupCode, giveCode, makeBackupCodes } from '../support/second-factor.ts'
import { confirmPassword, proofDialog, proofIsOldMs } from '../support/security.ts'

test('ACC-18 T076 an authenticator app is added, asked for at the next sign-in, refuses a code twice and is removed', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'behind two steps.txt'), 60)
  await signIn(page, account)
  const codes = await addApp(page)
  await signOut(page)

  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await giveCode(page, '000000')
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  const second = codes.next()
  await giveCode(page, second)
  await expect(fileRow(page, 'behind two steps.txt')).toBeVisible()

  await signOut(page)
  await enterPassword(page, account)
  await giveCode(page, second)
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()

  await enterPassword(page, account)
  await giveCode(page, await codes.fresh())
  await expectFiles(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: /^Remove: My authenticator app/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No second step is set up.')).toBeVisible()
  await signOut(page)
  await enterPassword(page, account)
  await expectFiles(page)
})

test('ACC-18 a page reloaded between password and code asks for the code, then for the password once more', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const codes = await addApp(page)
  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()

  await page.reload()
  await giveCode(page, codes.next())
  await expect(page.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  await passwordBox(page, 'Password').fill(account.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectFiles(page)
})

test('ACC-18 backup codes are shown once, stand in for the app once each, and new ones replace them', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addApp(page)
  await page.goto('/settings')
  await expect(page.getByText('You have no backup codes.')).toBeVisible()
  await page.getByRole('button', { name: 'Make backup codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your backup codes' })
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  await signOut(page)

  const [first = ''] = codes
  await enterPassword(page, account)
  await giveBackupCode(page, first)
  await expectFiles(page)
  await page.goto('/settings')
  await expect(page.getByText('9 codes are left.')).toBeVisible()
  await signOut(page)

  await enterPassword(page, account)
  await giveBackupCode(page, first)
  await expect(page.getByRole('alert')).toHaveText('This backup code is not valid or was used before')
})

test('T057 an older sign-in asks for the password before an app is added, refuses a wrong one, and works by keyboard', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await server.setClock(proofIsOldMs)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  const box = proofDialog(page).getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(box).toBeFocused()
  expect(await checkAccessibility(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(proofDialog(page)).toBeHidden()
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was changed. Confirm your password to continue.')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(box).toBeFocused()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await expect(proofDialog(page).getByText('That password isn’t right. Try again.')).toBeVisible()
  await box.fill(account.password)
  await page.keyboard.press('Enter')

  await expect(proofDialog(page)).toBeHidden()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
})

test('T057 an older sign-in asks for the password before backup codes are replaced and an app is removed', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addApp(page)
  await makeBackupCodes(page)
  await server.setClock(proofIsOldMs)

  await page.getByRole('button', { name: 'Make new codes' }).click()
  await confirmPassword(page, account.password)
  await expect(page.getByRole('dialog', { name: 'Your backup codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await server.setClock(2 * proofIsOldMs)
  await page.getByRole('button', { name: /^Remove: My authenticator app/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await confirmPassword(page, account.password)

  await expect(page.getByText('No second step is set up.')).toBeVisible()
})

test('ACC-18 the keyboard alone leads from the password through a wrong code and other ways to one’s files', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await addApp(page)
  const [code = ''] = await makeBackupCodes(page)
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
  await expect(page.getByRole('alert')).toContainText('This code is not right.')
  await tabTo(page, /^\s*Use a backup code\s*$/)
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Backup code' })).toBeFocused()
  await keyboard.type(code)
  await keyboard.press('Enter')
  await expectFiles(page)
})
