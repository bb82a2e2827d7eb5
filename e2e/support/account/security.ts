import { expect, type Page } from '@playwright/test'
import { passwordField } from './users.ts'

/** Opens Settings and waits until all cards are loaded: before that they may move away from under a click. */
export async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
}

export async function fillPasswordChange(
  page: Page,
  input: { current: string; next: string; confirmation: string },
): Promise<void> {
  const card = page.getByRole('region', { name: 'Password', exact: true })
  await card.getByLabel('Current password', { exact: true }).fill(input.current)
  await passwordField(page, 'New password').fill(input.next)
  await passwordField(page, 'Confirm new password').fill(input.confirmation)
}

/** Fills in and submits the form in Settings. */
export async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await openSettings(page)
  await fillPasswordChange(page, { current, next, confirmation: next })
  await page.getByRole('button', { name: 'Change Password' }).click()
}

export async function recoveryKeyGroups(page: Page): Promise<string[]> {
  const groups = page.getByRole('list', { name: 'Recovery key' }).getByRole('listitem')
  await expect(groups).toHaveCount(14)
  return (await groups.allInnerTexts()).map((text) => text.split(/\s+/).at(-1) ?? '')
}

/** Types the requested group in lower case between spaces, as a user may. */
export async function typeGroup(page: Page, groups: readonly string[]): Promise<void> {
  const label = (await page.getByText(/^Group \d+$/).textContent()) ?? ''
  const index = Number(label.replace('Group ', '')) - 1
  await page.getByRole('dialog').getByRole('textbox').fill(` ${groups[index]?.toLowerCase()} `)
}

/** Creates a recovery key with the button of this name, confirms it and resolves with its groups. */
export async function createRecoveryKey(page: Page, button: string): Promise<string[]> {
  await page.getByRole('button', { name: button }).click()
  const groups = await recoveryKeyGroups(page)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await typeGroup(page, groups)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  return groups
}

/** The dialog that asks for the password before a sensitive change. */
export const reauthDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

/** Enters the password in that dialog. */
export async function confirmPassword(page: Page, password: string): Promise<void> {
  await reauthDialog(page).getByLabel('Password', { exact: true }).fill(password)
  await reauthDialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(reauthDialog(page)).toBeHidden()
}

/** How far the server's clock has to advance until a sensitive change requires the password again. */
export const reauthAfterMs = 6 * 60_000

export async function openDevices(page: Page): Promise<void> {
  await page.goto('/settings')
  await expect(page.getByRole('region', { name: 'Devices' }).getByText('This device')).toBeVisible()
}

export const emailPane = (page: Page) => page.getByRole('region', { name: 'Email address' })

export async function submitChange(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/settings')
  await emailPane(page).getByRole('textbox', { name: 'New email address' }).fill(email)
  await emailPane(page).getByLabel('Current password', { exact: true }).fill(password)
  await emailPane(page).getByRole('button', { name: 'Change Email' }).click()
}
