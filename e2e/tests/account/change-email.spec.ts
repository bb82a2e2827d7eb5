import type { Page } from '@playwright/test'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { test as mailTest } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { expectFiles, fileRow, register, signIn, signOut } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

const emailPane = (page: Page) => page.getByRole('region', { name: 'Email address' })

async function submitChange(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/settings')
  await emailPane(page).getByRole('textbox', { name: 'New email address' }).fill(email)
  await emailPane(page).getByLabel('Current password', { exact: true }).fill(password)
  await emailPane(page).getByRole('button', { name: 'Change Email' }).click()
}

test('on a server without email verification the address changes at once, and the files stay readable', async ({
  page,
  server,
}) => {
  const [account, other] = [await createAccount(server.url), await createAccount(server.url)]
  await account.upload(new File(['kept'], 'kept.txt'), 1440)
  const email = newEmail()
  await signIn(page, account)

  await submitChange(page, email, 'not my password')
  await expect(emailPane(page)).toContainText('This is not your current password')
  await submitChange(page, 'no address', account.password)
  await expect(emailPane(page)).toContainText('Enter an email address, such as name@example.com')
  await submitChange(page, other.email, account.password)
  await expect(emailPane(page)).toContainText('Another account uses this email address')
  await submitChange(page, email, account.password)

  await expect(emailPane(page)).toContainText('Email address changed. Sign in with the new one from now on.')
  await expect(emailPane(page)).toContainText(`You sign in with ${email}`)
  await signOut(page)
  await signIn(page, { email, password: account.password })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
})

mailTest('with email verification both addresses confirm the change by a link', async ({ page, mail }) => {
  const credentials = { email: newEmail(), password: newPassword() }
  await register(page, credentials)
  await page.goto(linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm'))
  await page.waitForURL(/\/\?verified=true/)
  await signIn(page, credentials)
  const email = newEmail()

  await submitChange(page, email, credentials.password)
  await expect(emailPane(page)).toContainText(`We’ve sent a link to ${email} and one to your current address.`)
  await expect(emailPane(page)).toContainText(`You sign in with ${credentials.email}`)
  const newLink = linkInEmail(await mail.nextEmailTo(email), '/auth/confirm')
  const oldLink = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')
  await page.goto(newLink)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  // Checked meanwhile, because the page leaves for the sign-in after 3 seconds.
  const changed = page.getByRole('heading', { name: 'Email address changed' })
  await Promise.all([expect(changed).toBeVisible(), page.goto(oldLink)])
  await page.waitForURL(/\/\?verified=true/)

  await expectFiles(page)
  await signOut(page)
  await signIn(page, { ...credentials, email })
})
