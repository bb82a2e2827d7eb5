import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { enterPassword, signIn } from '../../support/account/users.ts'
import { storedFiles } from '../../support/files/stored-files.ts'
import { expect, test } from '../../support/journey.ts'

const deletionDialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' })
const passwordInput = (page: Page) => deletionDialog(page).getByRole('textbox', { name: 'Password' })

test('an account is deleted with its password, together with its files and keys, and other tabs are signed out', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['to be deleted'], 'words.txt'))
  await signIn(page, account)
  const otherTab = await context.newPage()
  await otherTab.goto(server.url)
  await expect(otherTab.getByRole('heading', { name: 'Your Files' })).toBeVisible()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await expect(passwordInput(page)).toBeFocused()

  await passwordInput(page).fill('not my password')
  await page.keyboard.press('Enter')
  await expect(deletionDialog(page)).toContainText('That password isn’t right. Try again.')
  expect(storedFiles(server.dataFolder)).toHaveLength(1)
  await passwordInput(page).fill(account.password)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByText('Your account has been deleted')).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(otherTab.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(storedFiles(server.dataFolder)).toEqual([])
  expect(await page.evaluate(() => [sessionStorage.length, ...Object.keys(localStorage)].join())).not.toContain('auth')
  await enterPassword(page, account)
  await expect(page.getByText('Invalid email or password')).toBeVisible()
})

test('an account whose deletion the server rejects stays signed in', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await page.goto('/settings')
  await page.route('**/api/account', (route) => route.fulfill({ status: 418, body: 'a proxy' }))
  await page.getByRole('button', { name: 'Delete Account' }).click()

  await passwordInput(page).fill(account.password)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Sallyport, your files' }).click()
  await expect(page.getByRole('heading', { name: 'Your Files' })).toBeVisible()
})
