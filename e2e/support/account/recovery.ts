import { expect, type Page } from '@playwright/test'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createRecoveryKey, encodeRecoveryKey, wrapForRecovery } from '@sallyport/crypto'
import type { Account } from './account.ts'
import { linkInEmail, type MailServer } from './mail-server.ts'
import { passwordField } from './users.ts'

/** Requests a password reset and resolves with the link from the email. */
export async function requestRecoveryLink(page: Page, email: string, mail: MailServer): Promise<string> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  // The previous form, which also has an email field, stays until this one is loaded.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  return linkInEmail(await mail.nextEmailTo(email), '/set-password')
}

/** Opens a link that sets a password, and uses it. */
export async function followRecoveryLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** Fills in and submits the new password. */
export async function choosePassword(page: Page, password: string, confirmation = password): Promise<void> {
  await passwordField(page, 'New password').fill(password)
  await passwordField(page, 'Confirm password').fill(confirmation)
  await page.getByRole('button', { name: 'Set Password', exact: true }).click()
}

/** Saves a recovery key for an account and resolves with its printed form. */
export async function saveRecoveryKey({ call, userId, accountKey }: Account): Promise<string> {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  await call(accountKeys.saveRecoveryKey, { body: { keyVersion: 1, wrappedKey } })
  return encodeRecoveryKey(recoveryKey)
}
