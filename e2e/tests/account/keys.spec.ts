import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { decodeRecoveryKey, unwrapFromRecovery } from '@sallyport/crypto'
import { createAccount, newEmail, newPassword } from '../../support/account/account.ts'
import { fetchKeys, listKeySlots } from '../../support/account/keys.ts'
import {
  changePassword,
  fillPasswordChange,
  openSettings,
  recoveryKeyGroups,
  typeGroup,
} from '../../support/account/security.ts'
import { enterPassword, fileRow, fillSignIn, passwordField, signIn, signOut } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { recordStart } from '../../support/browser/page-start.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { expect, test } from '../../support/journey.ts'

test('T057 a new password opens files sealed under the old one, and the old one opens nothing any more', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  const next = newPassword()
  const otherDevice = await (await anotherBrowser()).newPage()
  await otherDevice.goto(server.url)
  await signIn(otherDevice, account)
  await signIn(page, account)

  await changePassword(page, account.password, next)

  await expect(page.getByText('Password changed. Your other devices have been signed out.')).toBeVisible()
  await expect(otherDevice.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(await listKeySlots(page)).toEqual([1])
  await page.goto('/')
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await signOut(page)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
  await signIn(page, { email: account.email, password: next })
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
})

test('T057 a wrong current, a too short and a mistyped new password show an error at their fields', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)

  await changePassword(page, 'not my password', newPassword())
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await fillPasswordChange(page, { current: account.password, next: 'short', confirmation: 'short' })
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await fillPasswordChange(page, { current: account.password, next: newPassword(), confirmation: newPassword() })
  await page.getByRole('button', { name: 'Change Password' }).click()

  await expect(page.getByText('Passwords do not match')).toBeVisible()
  expect(await listKeySlots(page)).toEqual([1])
})

test('T032 an account with an older key derivation signs in only with consent and is migrated in the background', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url, newEmail(), 1)
  await account.upload(new File(['kept'], 'kept.txt'))
  const listProfiles = async () => (await fetchKeys(page)).slots.map(({ slot, profile }) => [slot, profile])
  const sentCredentials: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/login')) sentCredentials.push(request.postDataJSON().password.slice(0, 4))
  })

  await enterPassword(page, account)
  await expect(page.getByRole('alert')).toContainText('this account uses an older protection')
  expect(sentCredentials).toEqual(['Zk2.'])
  await page.getByRole('button', { name: 'Sign in with the older protection' }).click()
  await expect(page.getByRole('button', { name: /^Sign(ing)? In/ })).toBeFocused()
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  expect(sentCredentials).toEqual(['Zk2.', 'Zk1.'])

  await expect.poll(listProfiles).toEqual([[1, 2]])
  await signOut(page)
  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  expect(await listProfiles()).toEqual([[1, 2]])
})

test('a new password is rated while it is typed', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await openSettings(page)
  const box = passwordField(page, 'New password')

  await box.fill('password')
  await expect(page.getByText('Very weak')).toBeVisible()
  await expect(page.getByText('This is one of the ten most common passwords.')).toBeVisible()
  await box.fill('tame walrus 7 quilted harbours')

  await expect(page.getByText('Strong', { exact: true })).toBeVisible()
})

test('a recovery key is shown once, has to be confirmed and unwraps the account key', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await page.getByRole('button', { name: 'Create a recovery key' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This key is shown only once')).toBeVisible()
  expect(await checkAccessibility(page)).toEqual([])
  const groups = await recoveryKeyGroups(page)
  expect(groups).toHaveLength(14)
  const downloaded = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const saved = readFileSync(await (await downloaded).path(), 'utf8')
  expect(saved).toContain(groups.join('-'))
  expect(saved).toContain(account.email)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  expect((await fetchKeys(page)).recovery).toBeNull()

  await dialog.getByRole('textbox').fill('0000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('That isn’t the right group.')).toBeVisible()
  await typeGroup(page, groups)
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await expectToast(page, 'Your recovery key is ready to use')
  await expect(page.getByText(/^Created on /)).toBeVisible()
  const wrappedKey = (await fetchKeys(page)).recovery?.wrappedKey ?? ''
  const recoveryKey = await decodeRecoveryKey(groups.join(' ').toLowerCase())
  const unwrapped = await unwrapFromRecovery({ wrappedKey, recoveryKey, userId: account.userId, keyVersion: 1 })
  expect(unwrapped).toEqual({ accountKey: account.accountKey, isBound: true })
})

test('a user without a recovery key is offered one on Files until they decline, on every device', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  const recoveryOffer = (on: Page) => on.getByRole('region', { name: 'Set up a recovery key' })
  await expect(recoveryOffer(page)).toBeVisible()
  const saved = page.waitForResponse((response) => response.url().endsWith('/auth/v1/user') && response.ok())

  await recoveryOffer(page).getByRole('button', { name: 'Not now' }).click()

  await expect(recoveryOffer(page)).toBeHidden()
  await saved
  const otherDevice = await (await anotherBrowser()).newPage()
  await otherDevice.goto(server.url)
  const started = recordStart(otherDevice)
  await signIn(otherDevice, account)
  await started()
  await expect(recoveryOffer(otherDevice)).toBeHidden()
})
