import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { accountKeys } from '@sallyport/contract/account-keys'
import { decodeRecoveryKey, unwrapFromRecovery } from '@sallyport/crypto'
import { createAccount, newEmail, newPassword } from '../support/account.ts'
import { checkAccessibility } from '../support/check-accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { enterPassword, fileRow, fillSignIn, passwordBox, signIn, signOut } from '../support/people.ts'
import {
  changePassword,
  confirmPassword,
  fillChange,
  groupsIn,
  makeRecoveryKey,
  openSettings,
  proofIsOldMs,
  typeGroup,
} from '../support/security.ts'
import { expectToast } from '../support/toasts.ts'

test('T057 a changed password opens what the old one sealed, and the old one opens nothing any more', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  const next = newPassword()
  const elsewhere = await (await anotherBrowser()).newPage()
  await elsewhere.goto(server.url)
  await signIn(elsewhere, account)
  await signIn(page, account)

  await changePassword(page, account.password, next)

  await expect(page.getByText('Password changed. Your other devices have been signed out.')).toBeVisible()
  await expect(elsewhere.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(await slotsOf(page)).toEqual([1])
  await page.goto('/')
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await signOut(page)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await signIn(page, { email: account.email, password: next })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
})

test('T057 a wrong current password, one that is too short and one that was typed differently are told at their fields', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)

  await changePassword(page, 'not my password', newPassword())
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await fillChange(page, { current: account.password, next: 'short', again: 'short' })
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await fillChange(page, { current: account.password, next: newPassword(), again: newPassword() })
  await page.getByRole('button', { name: 'Change Password' }).click()

  await expect(page.getByText('Passwords do not match')).toBeVisible()
  expect(await slotsOf(page)).toEqual([1])
})

test('T057 a password change that breaks off before the server takes the new password leaves the old one good', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  await signIn(page, account)
  await page.route('**/auth/v1/user', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  )

  await changePassword(page, account.password, newPassword())

  await expect(page.getByRole('alert')).toContainText(/connection|reached/)
  expect(await slotsOf(page)).toEqual([1, 2])
  await page.unrouteAll()
  await page.goto('/')
  await signOut(page)
  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  const next = newPassword()
  await changePassword(page, account.password, next)
  await expect(page.getByText('Password changed.')).toBeVisible()
  expect(await slotsOf(page)).toEqual([1])
})

test('T057 a page that is closed after the server took the new password, but before the key was, opens with the new one', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  await signIn(page, account)
  const next = newPassword()
  const brokenOff = Promise.withResolvers<void>()
  // A request that is still held back when its page closes is let go.
  await page.route('**/api/account/keys/commit', (route) =>
    route.abort('connectionreset').then(brokenOff.resolve, brokenOff.reject),
  )
  await changePassword(page, account.password, next)
  await brokenOff.promise
  await page.close()
  const fresh = await context.newPage()
  await fresh.goto('/')
  await expect(fresh.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  expect(await slotsOf(fresh)).toEqual([1, 2])
  await fresh.evaluate(() => localStorage.clear())
  await fresh.reload()

  await signIn(fresh, { email: account.email, password: next })

  await expect(fileRow(fresh, 'kept.txt')).toBeVisible()
  expect(await slotsOf(fresh)).toEqual([1])
})

test("T032 an account with an older key derivation is entered with its owner's word only, and moved on beside it", async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url, newEmail(), 1)
  await account.upload(new File(['kept'], 'kept.txt'))
  const profileOf = async () => (await keysOf(page)).slots.map(({ slot, profile }) => [slot, profile])
  const credentials: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/login')) credentials.push(request.postDataJSON().password.slice(0, 4))
  })

  await enterPassword(page, account)
  await expect(page.getByRole('alert')).toContainText('this account was made with an older protection')
  expect(credentials).toEqual(['Zk2.'])
  await page.getByRole('button', { name: 'Sign in with the older protection' }).click()
  await expect(page.getByRole('button', { name: /^Sign(ing)? In/ })).toBeFocused()
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  expect(credentials).toEqual(['Zk2.', 'Zk1.'])

  await expect.poll(profileOf, { timeout: 30_000 }).toEqual([[1, 2]])
  await signOut(page)
  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  expect(await profileOf()).toEqual([[1, 2]])
})

test('a new password is judged while it is typed', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await openSettings(page)
  const box = passwordBox(page, 'New password')

  await box.fill('password')
  await expect(page.getByText('Guessed at once')).toBeVisible()
  await expect(page.getByText('heavily used password')).toBeVisible()
  await box.fill('tame walrus 7 quilted harbours')

  await expect(page.getByText('Strong', { exact: true })).toBeVisible()
})

test('a recovery key is shown once, has to be confirmed, and opens the account key', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await page.getByRole('button', { name: 'Make a recovery key' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('It is shown this once')).toBeVisible()
  expect(await checkAccessibility(page)).toEqual([])
  const groups = await groupsIn(page)
  expect(groups).toHaveLength(14)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const saved = readFileSync(await (await saving).path(), 'utf8')
  expect(saved).toContain(groups.join('-'))
  expect(saved).toContain(account.email)
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  expect((await keysOf(page)).recovery).toBeNull()

  await dialog.getByRole('textbox').fill('0000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('This is not that group.')).toBeVisible()
  await typeGroup(page, groups)
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await expectToast(page, 'Your recovery key is ready to use')
  await expect(page.getByText(/^Made on /)).toBeVisible()
  const wrappedKey = (await keysOf(page)).recovery?.wrappedKey ?? ''
  const recoveryKey = await decodeRecoveryKey(groups.join(' ').toLowerCase())
  const opened = await unwrapFromRecovery({ wrappedKey, recoveryKey, userId: account.userId, keyVersion: 1 })
  expect(opened).toEqual({ accountKey: account.accountKey, isBound: true })
})

test('a recovery key that is not confirmed replaces nothing; a removed one is gone', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await makeRecoveryKey(page, 'Make a recovery key')
  const first = (await keysOf(page)).recovery?.wrappedKey

  await page.getByRole('button', { name: 'Replace it' }).click()
  await expect(page.getByText('The recovery key that you had is good until this one is confirmed.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await keysOf(page)).recovery?.wrappedKey).toBe(first)
  await makeRecoveryKey(page, 'Replace it')
  expect((await keysOf(page)).recovery?.wrappedKey).not.toBe(first)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove it' }).click()

  await expect(page.getByText('You have no recovery key.')).toBeVisible()
  expect((await keysOf(page)).recovery).toBeNull()
})

test('an older sign-in asks for the password before a recovery key is created and removed', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await server.setClock(proofIsOldMs)
  await page.getByRole('button', { name: 'Make a recovery key' }).click()
  const groups = await groupsIn(page)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await typeGroup(page, groups)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await confirmPassword(page, account.password)
  await expectToast(page, 'Your recovery key is ready to use')
  await server.setClock(2 * proofIsOldMs)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove it' }).click()
  expect((await keysOf(page)).recovery).not.toBeNull()

  await confirmPassword(page, account.password)

  await expect(page.getByText('You have no recovery key.')).toBeVisible()
  expect((await keysOf(page)).recovery).toBeNull()
})

test('T057 a wrapped key that was overwritten with rubbish is restored at the next sign-in and by the unlock screen', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  const overwrite = async () => {
    const body = { keyVersion: 1, profile: 2, wrappedKey: randomBytes(60).toString('base64url') }
    const { slot } = await account.call(accountKeys.stageKeys, { body })
    await account.call(accountKeys.commitKeys, { body: { slot } })
  }
  await overwrite()

  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await overwrite()
  await page.close()
  const fresh = await context.newPage()
  await fresh.goto('/')
  await passwordBox(fresh, 'Password').fill('not my password')
  await fresh.getByRole('button', { name: 'Unlock' }).click()
  await expect(fresh.getByRole('alert')).toBeVisible()
  await passwordBox(fresh, 'Password').fill(account.password)
  await fresh.getByRole('button', { name: 'Unlock' }).click()

  await expect(fileRow(fresh, 'kept.txt')).toBeVisible()
  const { slots } = await keysOf(fresh)
  expect(slots.map(({ wrappedKey }) => wrappedKey)).toEqual([account.wrappedKey])
})

test('somebody without a recovery key is offered one on Files until they decline, on every device', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const offer = (on: Page) => on.getByRole('region', { name: 'Keep a way back' })
  await expect(offer(page)).toBeVisible()
  const kept = page.waitForResponse((response) => response.url().endsWith('/auth/v1/user') && response.ok())

  await offer(page).getByRole('button', { name: 'Not now' }).click()

  await expect(offer(page)).toBeHidden()
  await kept
  const elsewhere = await (await anotherBrowser()).newPage()
  await elsewhere.goto(server.url)
  await signIn(elsewhere, account)
  await elsewhere.waitForLoadState('networkidle')
  await expect(offer(elsewhere)).toBeHidden()
})

interface StoredKeys {
  readonly slots: readonly { readonly slot: number; readonly profile: number; readonly wrappedKey: string }[]
  readonly recovery: { readonly wrappedKey: string } | null
}

/** What the server keeps, asked with the sign-in of the page. */
const keysOf = (page: Page): Promise<StoredKeys> =>
  page.evaluate(async () => {
    const { access_token } = JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}')
    const answer = await fetch('/api/account/keys', { headers: { authorization: `Bearer ${access_token}` } })
    return answer.json()
  })

const slotsOf = async (page: Page): Promise<number[]> => (await keysOf(page)).slots.map(({ slot }) => slot)
