import { expect, type Locator, type Page } from '@playwright/test'
import { createAccount } from './account/account.ts'
import { openFiles } from './account/open-files.ts'

export const openSessions = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible()
}

/** Creates a session on the Sessions screen and resolves with its PIN. */
export async function createSession(page: Page, { isPrivate = false } = {}): Promise<string> {
  await openSessions(page)
  if (isPrivate) await page.getByRole('checkbox', { name: /Private session/ }).check()
  await page.getByRole('button', { name: 'Create Session' }).click()
  return readPin(page)
}

/** Signs in with a new account, creates a session and resolves with its PIN. */
export async function hostSession(
  page: Page,
  url: string,
  options?: { readonly isPrivate?: boolean },
): Promise<string> {
  await openFiles(page, await createAccount(url))
  return createSession(page, options)
}

/** Reads the PIN from the title of a session. */
export async function readPin(page: Page): Promise<string> {
  await expect(page.getByRole('button', { name: 'Leave Session' })).toBeVisible()
  const title = await page.getByRole('heading', { level: 1 }).textContent()
  expect(title).toMatch(/^[1-9]\d{5}$/)
  return title ?? ''
}

export const pinField = (page: Page): Locator => page.getByRole('textbox', { name: 'PIN' })

export const joinButton = (page: Page): Locator => page.getByRole('button', { name: 'Join Session' })

/** Submits a PIN on the landing page, without an account, and does not wait for the outcome. */
export async function enterPin(page: Page, pin: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('tab', { name: 'Join Session' }).click()
  await pinField(page).fill(pin)
  await joinButton(page).click()
}

/** Joins by PIN on the landing page, without an account. A private session is still locked then. */
export async function joinAsGuest(page: Page, pin: string): Promise<void> {
  await enterPin(page, pin)
  await readPin(page)
}

/** Joins by PIN on the Sessions screen of an account. */
export async function joinAsMember(page: Page, pin: string): Promise<void> {
  await openSessions(page)
  await pinField(page).fill(pin)
  await joinButton(page).click()
  await readPin(page)
}

export const log = (page: Page): Locator => page.getByRole('log', { name: 'Messages' })
export const messageWith = (page: Page, text: string): Locator =>
  log(page).getByRole('listitem').filter({ hasText: text })

export async function sendSessionMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

export const showFiles = (page: Page): Promise<void> => page.getByRole('tab', { name: 'Files' }).click()
export const showChat = (page: Page): Promise<void> => page.getByRole('tab', { name: 'Chat' }).click()

export const sessionFile = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Session Files' }).getByRole('listitem').filter({ hasText: name })

export const sessionDropZone = (page: Page): Locator => page.getByRole('region', { name: 'Upload Files' })
export const leaveButton = (page: Page): Locator => page.getByRole('button', { name: 'Leave Session' })

/** Leaves a session as its creator, which ends it for everyone. */
export async function endSession(page: Page): Promise<void> {
  await leaveButton(page).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
}

/** The heading that is shown while waiting for the creator's approval. */
export const waitingHeading = (page: Page): Locator => page.getByRole('heading', { name: 'Waiting to be let in' })

/** Switches an option of the session on or off, as its creator. */
export async function setOption(page: Page, name: RegExp, isEnabled: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name }).setChecked(isEnabled)
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Removes a participant of this name, as the creator. */
export async function removeParticipant(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /here/ }).click()
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.keyboard.press('Escape')
}
