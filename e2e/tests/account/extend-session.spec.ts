import type { Page, Route } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { addAuthenticatorApp, createBackupCodes, enterBackupCode } from '../../support/account/mfa.ts'
import { accessTokenOf, expectFiles, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import type { RunningServer } from '../../support/server/server.ts'

const minute = 60_000
const elapsedMs = 3 * 60 * minute - 4 * minute

test('ACC-11 an extension that fails leaves the auth session, its lifetime and the keys as they are', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  const dialog = await openDialog(page, server)
  const before = await storedSession(page)
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)

  const failures: [path: string, fail: (route: Route) => Promise<void>][] = [
    ['**/api/auth/prelogin', (route) => route.abort()],
    ['**/api/login', (route) => route.abort('connectionreset')],
    ['**/api/login', (route) => route.fulfill({ status: 401, body: 'a proxy in between' })],
    ['**/auth/v1/user', (route) => route.abort()],
    ['**/auth/v1/user', (route) => route.fulfill({ status: 502, body: '' })],
  ]
  for (const [path, fail] of failures) {
    await page.route(path, fail)
    await dialog.getByRole('button', { name: 'Stay signed in' }).click()
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await expect(dialog.getByRole('button', { name: 'Stay signed in' })).toBeEnabled()
    expect(await storedSession(page)).toEqual(before)
    await page.unroute(path)
  }

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expectFiles(page)
})

test('ACC-18 a second factor that is cancelled leaves the auth session; a backup code completes its extension', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  await addAuthenticatorApp(page)
  const [backupCode = ''] = await createBackupCodes(page)
  const dialog = await openDialog(page, server)
  const before = await storedSession(page)

  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  const ended = page.waitForResponse('**/auth/v1/logout*')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect((await ended).ok()).toBe(true)
  expect(await storedSession(page)).toEqual(before)

  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await enterBackupCode(page, backupCode)
  await expect(dialog).toBeHidden()
  expect((await storedSession(page)).sessionId).not.toBe(before.sessionId)
  await server.setClock(elapsedMs + 10 * minute)
  await page.clock.fastForward(10 * minute)
  await page.goto('/')
  await expectFiles(page)
})

/** Opens the dialog 4 minutes before the auth session ends. */
async function openDialog(page: Page, server: RunningServer) {
  await server.setClock(elapsedMs)
  await page.clock.fastForward(elapsedMs)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  return page.getByRole('dialog', { name: 'Stay signed in' })
}

/** The tokens may be refreshed; the id of their auth session stays the same. */
const storedSession = async (page: Page) => ({
  sessionId: readClaims(await accessTokenOf(page))['session_id'],
  ...(await page.evaluate(() => ({
    expiresAtMs: JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}').expiresAtMs,
    masterKey: sessionStorage.getItem('masterKey'),
    accountKey: sessionStorage.getItem('accountKey'),
  }))),
})

const readClaims = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
