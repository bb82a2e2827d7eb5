import { expect, type Page } from '@playwright/test'
import { passwordBox } from './people.ts'

export async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
}

export async function fillChange(page: Page, typed: { current: string; next: string; again: string }): Promise<void> {
  await passwordBox(page, 'Current password').fill(typed.current)
  await passwordBox(page, 'New password').fill(typed.next)
  await passwordBox(page, 'Confirm new password').fill(typed.again)
}

/** Fills in the form in Settings and sends it off. */
export async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await openSettings(page)
  await fillChange(page, { current, next, again: next })
  await page.getByRole('button', { name: 'Change Password' }).click()
}

export async function groupsIn(page: Page): Promise<string[]> {
  const groups = page.getByRole('list', { name: 'Recovery key' }).getByRole('listitem')
  await expect(groups).toHaveCount(14)
  return (await groups.allInnerTexts()).map((text) => text.split(/\s+/).at(-1) ?? '')
}

/** Types the group that is asked for, as somebody might who reads it from paper. */
export async function typeGroup(page: Page, groups: readonly string[]): Promise<void> {
  const label = (await page.getByText(/^Group \d+$/).textContent()) ?? ''
  const index = Number(label.replace('Group ', '')) - 1
  await page.getByRole('dialog').getByRole('textbox').fill(` ${groups[index]?.toLowerCase()} `)
}

/** Makes a recovery key by the button of this name, confirms it and answers its groups. */
export async function makeRecoveryKey(page: Page, button: string): Promise<string[]> {
  await page.getByRole('button', { name: button }).click()
  const groups = await groupsIn(page)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await typeGroup(page, groups)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  return groups
}

/** The dialog that asks for the password before a change to what protects the account. */
export const proofDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

/** Enters the password in that dialog. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  await proofDialog(page).getByLabel('Password', { exact: true }).fill(password)
  await proofDialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(proofDialog(page)).toBeHidden()
}

/** How far the server's clock has to move until a sign-in alone no longer allows such a change. */
export const proofIsOldMs = 6 * 60_000
