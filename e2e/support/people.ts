import { expect, type Locator, type Page } from '@playwright/test'
import { type Account, newEmail, newPassword } from './account.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Comes as a stranger, picks the trial and leaves with an open account. */
export async function signUp(page: Page, credentials: Credentials = newCredentials(), url = '/'): Promise<Credentials> {
  await register(page, credentials, url)
  await expectFiles(page)
  return credentials
}

/** Comes as a stranger, picks the trial and asks for an account. */
export async function register(page: Page, { email, password }: Credentials, url = '/'): Promise<void> {
  await page.goto(url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Start trial' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordBox(page, 'Password').fill(password)
  await passwordBox(page, 'Confirm password').fill(password)
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

/** Asks to be let in, whatever comes of it. */
export async function enterPassword(page: Page, credentials: Credentials, url = '/'): Promise<void> {
  await page.goto(url)
  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await passwordBox(page, 'Password').fill(password)
}

export async function signOut(page: Page): Promise<void> {
  const item = page.getByRole('menuitem', { name: 'Sign Out' })
  const outside = page.getByRole('tab', { name: 'Sign In' })
  // The menu lets a press go by now and then that comes right after a dialog has closed.
  await expect(async () => {
    if (await outside.isVisible()) return
    if (await item.isHidden()) await page.getByRole('button', { name: 'Your account' }).click({ timeout: 2000 })
    await item.click({ timeout: 2000 })
    await expect(outside).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 30_000 })
}

/** A password box has no role of its own, and a button beside it whose name holds the same word. */
export const passwordBox = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })

export async function expectFiles(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Your Files' })).toBeVisible({ timeout: 20_000 })
}

export const dropZone = (page: Page): Locator =>
  page.getByRole('region', { name: /Drop files to seal them|Tap to browse/ })
export const uploads = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' })
export const fileRow = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Your Files' }).getByRole('listitem').filter({ hasText: name })

/** The keys that a tab holds. */
export const keptKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => ['masterKey', 'accountKey'].flatMap((name) => sessionStorage.getItem(name) ?? []))

/** What the page shows the server at this moment. */
export const accessTokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}').access_token)

/** Signs in on a device that opens by itself from then on. */
export async function rememberedSignIn(page: Page, account: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.goto('/')
  await fillSignIn(page, account)
  await page.getByRole('checkbox', { name: 'Remember this device' }).check()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await expect.poll(() => countRemembered(page)).toBe(1)
}

/** How many devices the browser keeps something of. */
export const countRemembered = (page: Page): Promise<number> =>
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
