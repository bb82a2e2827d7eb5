import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { createMagicLink } from '../../support/account/admin.ts'
import { accessTokenOf, expectFiles, fillSignIn, passwordField } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

const gigabyte = 1024 ** 3

test('ORG-07 T061 a magic link shows its licence, creates one account with it and is used up', async ({
  page,
  server,
}) => {
  const link = await createMagicLink(server, '--type', 'vip', '--storage-gb', '80')
  const credentials = { email: newEmail(), password: newPassword() }
  for (const method of ['GET', 'HEAD', 'GET']) await fetch(server.url + link, { method })

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'You’re invited' })).toBeVisible()
  await expect(page.getByText('VIP', { exact: true })).toBeVisible()
  await expect(page.getByText('80 GB')).toBeVisible()
  await expect(page.getByText('All Personal features')).toBeVisible()
  const button = page.getByRole('button', { name: 'Create Account & Claim License' })
  await expect(button).toBeDisabled()

  await page.getByRole('textbox', { name: 'Email' }).fill(credentials.email)
  await passwordField(page, 'Password').fill('short')
  await button.click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await passwordField(page, 'Password').fill(credentials.password)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Almost done' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(credentials.email)
  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  const user = await fetchUserInfo(page)
  expect([user.license_type, user.storage_limit_bytes]).toEqual(['vip', 80 * gigabyte])

  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')
})

test('ORG-07 ACC-16 a used invitation, a made-up one and no connection each show their message', async ({
  page,
  server,
}) => {
  await page.goto('/invite/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')

  const link = await createMagicLink(server, '--type', 'nonprofit')
  await page.route('**/api/validate-magic-link/**', (route) => route.abort('connectionrefused'))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Failed to validate invitation' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nonprofit', { exact: true })).toBeVisible()

  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await passwordField(page, 'Password').fill(newPassword())
  const silent = { status: 500, json: { success: false, code: 'INTERNAL', error: '' } }
  await page.route('**/api/register-with-magic-link', (route) => route.fulfill(silent))
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await expect(page.getByRole('alert')).toHaveText('Registration failed')
  await page.unrouteAll()
  await server.setClock(31 * 86_400_000)
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')
})

test('ORG-07 an address that has an account keeps it as it is, and its owner adds the licence after signing in', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const link = await createMagicLink(server, '--type', 'vip', '--storage-gb', '80')

  await page.goto(link)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await passwordField(page, 'Password').fill(newPassword())
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await expect(page.getByText(/^If this email is new here, your account is ready/)).toBeVisible()
  await expect(page.getByText(/^If you already have an account with it, nothing has changed/)).toBeVisible()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await passwordField(page, 'Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)

  await page.goto(link)
  await expect(page.getByText(account.email)).toBeVisible()
  await page.getByRole('button', { name: 'Add to my account' }).click()
  await expect(page.getByRole('heading', { name: 'Licence added' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to your files' }).click()
  await expectFiles(page)

  const user = await fetchUserInfo(page)
  expect([user.license_type, user.storage_limit_bytes]).toEqual(['vip', 80 * gigabyte])
})

/** The user info that the page gets from the API. */
async function fetchUserInfo(page: Page) {
  const token = await accessTokenOf(page)
  const answer = await fetch(new URL(accounts.userInfo.path, page.url()), {
    headers: { authorization: `Bearer ${token}` },
  })
  return accounts.userInfo.reply.parse(await answer.json()).user
}
