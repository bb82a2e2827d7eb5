import { expect, type Page } from '@playwright/test'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createRecoveryKey, encodeRecoveryKey, wrapForRecovery } from '@sallyport/crypto'
import type { Account } from './account.ts'
import { linkIn, type MailServer } from './mail-server.ts'
import { passwordBox } from './people.ts'

/** Says that the password is forgotten and answers the link out of the letter. */
export async function askForLink(page: Page, email: string, mail: MailServer): Promise<string> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  // The form before it stays until this one is there, and has a box for an address too.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  return linkIn(await mail.letterTo(email), '/set-password')
}

/** Fills in the new password and sends it off. */
export async function choosePassword(page: Page, password: string, confirmation = password): Promise<void> {
  await passwordBox(page, 'New password').fill(password)
  await passwordBox(page, 'Confirm password').fill(confirmation)
  await page.getByRole('button', { name: 'Set Password', exact: true }).click()
}

/** Keeps a recovery key for an account, and answers it as it stands on paper. */
export async function keepRecoveryKey({ call, userId, accountKey }: Account): Promise<string> {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  await call(accountKeys.saveRecoveryKey, { body: { keyVersion: 1, wrappedKey } })
  return encodeRecoveryKey(recoveryKey)
}
