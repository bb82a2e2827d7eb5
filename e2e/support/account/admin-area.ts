import { expect, type Locator, type Page } from '@playwright/test'
import type { RunningServer } from '../server/server.ts'
import type { Account } from './account.ts'
import { runAdmin } from './admin.ts'
import { openNewAccount } from './open-files.ts'

/** Opens the files of a new account that is an admin from the start. */
export async function openAdmin(page: Page, server: RunningServer): Promise<Account> {
  const admin = await openNewAccount(page)
  await runAdmin(server, 'promote', admin.email)
  await page.reload()
  await expect(adminButton(page)).toBeVisible()
  return admin
}

export const adminButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true })

export const usersTable = (page: Page): Locator => page.getByRole('table', { name: 'Users' })

/** The rows of the users list, without the header. */
export const userRows = (page: Page): Locator => usersTable(page).locator('tbody').getByRole('row')

/** Opens the page of a user by the search and the View button. */
export async function viewUser(page: Page, email: string): Promise<void> {
  await page.goto('/admin?tab=users')
  await page.getByRole('searchbox', { name: 'Search' }).fill(email)
  await expect(userRows(page)).toHaveCount(1)
  await page.getByRole('link', { name: `View ${email}` }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
}

/** The card with this heading on the page of a user. */
export const userCard = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

/** Answers the question with this title with the button. */
export async function confirmQuestion(page: Page, title: string | RegExp, button: string): Promise<void> {
  const question = page.getByRole('alertdialog', { name: title })
  await expect(question.getByRole('button').first()).toBeFocused()
  await question.getByRole('button', { name: button, exact: true }).click()
  await expect(question).toBeHidden()
}
