import { expect, type Page } from '@playwright/test'
import { expectFiles, fillSignIn, passwordField } from './users.ts'

/** Registers with a magic link for a VIP licence, and signs in. */
export async function claimInvitation(
  page: Page,
  link: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto(link)
  await expect(page.getByText('VIP', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(credentials.email)
  await passwordField(page, 'Password').fill(credentials.password)
  await page.getByRole('button', { name: 'Create Account & Claim License' }).click()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
}
