import { expect, type Locator, type Page } from '@playwright/test'
import { type Account, newEmail, newPassword } from './account.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Signs up for a trial and waits until the files are open. */
export async function signUp(page: Page, credentials: Credentials = newCredentials(), url = '/'): Promise<Credentials> {
  await register(page, credentials, url)
  await expectFiles(page)
  return credentials
}

/** Fills in and submits the sign-up form of the trial. */
export async function register(page: Page, { email, password }: Credentials, url = '/'): Promise<void> {
  await page.goto(url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Start trial' }).click()
  // While the views change, the form of the one before may still be there.
  const form = page.locator('form').filter({ has: passwordField(page, 'Password') })
  await form.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordField(page, 'Password').fill(password)
  await passwordField(page, 'Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

const newCredentials = (): Credentials => ({ email: newEmail(), password: newPassword() })

export async function signIn(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
  url = '/',
): Promise<void> {
  await enterPassword(page, { email, password }, url)
  await expectFiles(page)
}

/** Submits the sign-in form without waiting for the outcome. */
export async function enterPassword(page: Page, credentials: Credentials, url = '/'): Promise<void> {
  await page.goto(url)
  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  // A view that is being left may still have a field of the same name.
  const form = page.locator('form').filter({ has: passwordField(page, 'Password') })
  await form.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordField(page, 'Password').fill(password)
}

export async function signOut(page: Page): Promise<void> {
  const signOutItem = page.getByRole('menuitem', { name: 'Sign Out' })
  const signInTab = page.getByRole('tab', { name: 'Sign In' })
  // The menu sometimes ignores a click right after a dialog has closed.
  await expect(async () => {
    if (await signInTab.isVisible()) return
    if (await signOutItem.isHidden()) await page.getByRole('button', { name: 'Your account' }).click({ timeout: 2000 })
    await signOutItem.click({ timeout: 2000 })
    await expect(signInTab).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 120_000 })
}

/** A password field has no ARIA role, and the name of the button next to it contains the same word. */
export const passwordField = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })

export async function expectFiles(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Your Files' })).toBeVisible()
}

export const dropZone = (page: Page): Locator =>
  page.getByRole('region', { name: /Drop files to upload|Tap to browse/ })
export const uploads = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' })
export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Your Files' }).getByRole('listitem').filter({ hasText: name })

/** The keys that a tab holds. */
export const storedKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => ['masterKey', 'accountKey'].flatMap((name) => sessionStorage.getItem(name) ?? []))

/** The access token that the page uses. */
export const accessTokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}').access_token)

/** Signs in and remembers the device, so that it unlocks by itself later. */
export async function signInRemembered(page: Page, account: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.goto('/')
  await fillSignIn(page, account)
  await page.getByRole('checkbox', { name: 'Remember this device' }).check()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await expect.poll(() => countRememberedDevices(page)).toBe(1)
}

/** Counts the remembered devices in the browser's database. */
export const countRememberedDevices = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const found = (await indexedDB.databases()).some(({ name }) => name === 'sallyport-device')
    if (!found) return 0
    const open = indexedDB.open('sallyport-device')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const { result: database } = open
    if (!database.objectStoreNames.contains('devices')) return database.close() ?? 0
    const count = database.transaction('devices').objectStore('devices').count()
    await new Promise((resolve) => count.addEventListener('success', resolve))
    database.close()
    return count.result
  })
