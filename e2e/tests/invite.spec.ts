import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { newEmail, newPassword } from '../support/account.ts'
import { makeMagicLink } from '../support/admin.ts'
import { expect, test } from '../support/journey.ts'
import { accessTokenOf, expectFiles, fillSignIn, passwordBox } from '../support/people.ts'

const gigabyte = 1024 ** 3

test('ORG-07 T061 a magic link shows what it gives, makes one account with that licence, and is used up by it', async ({
  page,
  server,
}) => {
  const link = await makeMagicLink(server, '--type', 'vip', '--storage-gb', '80')
  const person = { email: newEmail(), password: newPassword() }
  for (const method of ['GET', 'HEAD', 'GET']) await fetch(server.url + link, { method })

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'You are invited' })).toBeVisible()
  await expect(page.getByText('VIP', { exact: true })).toBeVisible()
  await expect(page.getByText('80 GB')).toBeVisible()
  await expect(page.getByText('Everything in Personal')).toBeVisible()
  const button = page.getByRole('button', { name: 'Create Account & Claim License' })
  await expect(button).toBeDisabled()

  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await passwordBox(page, 'Password').fill('short')
  await button.click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await passwordBox(page, 'Password').fill(person.password)
  await button.click()
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(person.email)
  await fillSignIn(page, person)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  const user = await whoAmI(page)
  expect([user.license_type, user.storage_limit_bytes]).toEqual(['vip', 80 * gigabyte])

  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')
})

test('ORG-07 ACC-16 an invitation that somebody else was faster with, a made-up one, and no connection each say so', async ({
  page,
  server,
}) => {
  await page.goto('/invite/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')

  const link = await makeMagicLink(server, '--type', 'nonprofit')
  await page.route('**/api/validate-magic-link/**', (route) => route.abort('connectionrefused'))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Failed to validate invitation' })).toBeVisible({ timeout: 20_000 })
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nonprofit', { exact: true })).toBeVisible()

  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await passwordBox(page, 'Password').fill(newPassword())
  await server.setClock(8 * 86_400_000)
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid or expired invitation link')
})

/** What the account's own page is told. */
async function whoAmI(page: Page) {
  const token = await accessTokenOf(page)
  const answer = await fetch(new URL(accounts.userInfo.path, page.url()), {
    headers: { authorization: `Bearer ${token}` },
  })
  return accounts.userInfo.reply.parse(await answer.json()).user
}
