import { randomBytes } from 'node:crypto'
import { accountKeys } from '@sallyport/contract/account-keys'
import { createAccount, newPassword } from '../../support/account/account.ts'
import { fetchKeys, listKeySlots } from '../../support/account/keys.ts'
import {
  changePassword,
  confirmPassword,
  createRecoveryKey,
  openSettings,
  reauthAfterMs,
  recoveryKeyGroups,
  typeGroup,
} from '../../support/account/security.ts'
import { fileRow, passwordField, signIn, signOut } from '../../support/account/users.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { expect, test } from '../../support/journey.ts'

test('T057 a password change whose answer is lost asks the server and reports the new password as changed', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const next = newPassword()
  await signIn(page, account)
  await page.route('**/auth/v1/user', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })

  await changePassword(page, account.password, next)

  await expect(page.getByText('Password changed.')).toBeVisible()
  expect(await listKeySlots(page)).toEqual([1])
  await page.unrouteAll()
  await page.goto('/')
  await signOut(page)
  await signIn(page, { email: account.email, password: next })
})

test('T057 a password change interrupted before the server accepts it leaves the old password valid', async ({
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

  await expect(page.getByRole('alert')).toContainText('The connection was lost before your password was changed.')
  expect(await listKeySlots(page)).toEqual([1, 2])
  await page.unrouteAll()
  await page.goto('/')
  await signOut(page)
  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  const next = newPassword()
  await changePassword(page, account.password, next)
  await expect(page.getByText('Password changed.')).toBeVisible()
  expect(await listKeySlots(page)).toEqual([1])
})

test('T057 a page closed after the password change but before the key commit unlocks with the new password', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  await signIn(page, account)
  const next = newPassword()
  const aborted = Promise.withResolvers<void>()
  // Playwright releases a held request when its page closes, so the page must not get as far as a second commit.
  await page.route('**/api/account/keys/commit', async (route) => {
    await page.route('**/api/account/keys', (keysRoute) => keysRoute.abort('connectionreset'))
    await route.abort('connectionreset').then(aborted.resolve, aborted.reject)
  })
  await changePassword(page, account.password, next)
  await aborted.promise
  await page.close()
  const fresh = await context.newPage()
  await fresh.goto('/')
  await expect(fresh.getByRole('heading', { name: 'Unlock your files' })).toBeVisible()
  expect(await listKeySlots(fresh)).toEqual([1, 2])
  await fresh.evaluate(() => localStorage.clear())
  await fresh.reload()

  await signIn(fresh, { email: account.email, password: next })

  await expect(fileRow(fresh, 'kept.txt')).toBeVisible()
  expect(await listKeySlots(fresh)).toEqual([1])
})

test('an unconfirmed recovery key replaces nothing; a removed one is gone', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await createRecoveryKey(page, 'Create a recovery key')
  const first = (await fetchKeys(page)).recovery?.wrappedKey

  await page.getByRole('button', { name: 'Replace key' }).click()
  await expect(page.getByText('Your old recovery key works until you confirm this one.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await fetchKeys(page)).recovery?.wrappedKey).toBe(first)
  await createRecoveryKey(page, 'Replace key')
  expect((await fetchKeys(page)).recovery?.wrappedKey).not.toBe(first)
  await page.getByRole('button', { name: 'Remove key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click()

  await expect(page.getByText('You don’t have a recovery key.')).toBeVisible()
  expect((await fetchKeys(page)).recovery).toBeNull()
})

test('an older sign-in asks for the password before a recovery key is created and removed', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await openSettings(page)
  await server.setClock(reauthAfterMs)
  await page.getByRole('button', { name: 'Create a recovery key' }).click()
  const groups = await recoveryKeyGroups(page)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await typeGroup(page, groups)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await confirmPassword(page, account.password)
  await expectToast(page, 'Your recovery key is ready to use')
  await server.setClock(2 * reauthAfterMs)
  await page.getByRole('button', { name: 'Remove key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click()
  expect((await fetchKeys(page)).recovery).not.toBeNull()

  await confirmPassword(page, account.password)

  await expect(page.getByText('You don’t have a recovery key.')).toBeVisible()
  expect((await fetchKeys(page)).recovery).toBeNull()
})

test('T057 a wrapped key overwritten with garbage is restored at the next sign-in and by the unlock screen', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['kept'], 'kept.txt'))
  const overwriteKeys = async () => {
    const body = { keyVersion: 1, profile: 2, wrappedKey: randomBytes(60).toString('base64url') }
    const { slot } = await account.call(accountKeys.stageKeys, { body })
    await account.call(accountKeys.commitKeys, { body: { slot } })
  }
  await overwriteKeys()

  await signIn(page, account)
  await expect(fileRow(page, 'kept.txt')).toBeVisible()
  await overwriteKeys()
  await page.close()
  const fresh = await context.newPage()
  await fresh.goto('/')
  await passwordField(fresh, 'Password').fill('not my password')
  await fresh.getByRole('button', { name: 'Unlock' }).click()
  await expect(fresh.getByRole('alert')).toBeVisible()
  await passwordField(fresh, 'Password').fill(account.password)
  await fresh.getByRole('button', { name: 'Unlock' }).click()

  await expect(fileRow(fresh, 'kept.txt')).toBeVisible()
  const { slots } = await fetchKeys(fresh)
  expect(slots.map(({ wrappedKey }) => wrappedKey)).toEqual([account.wrappedKey])
})
