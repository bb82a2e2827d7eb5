import type { Page } from '@playwright/test'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'
import { createAccount, newEmail } from '../../support/account/account.ts'
import { runAdmin } from '../../support/account/admin.ts'
import { expectFiles, fillSignIn, signIn, signOut } from '../../support/account/users.ts'
import { moveClocks } from '../../support/browser/move-clocks.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('ACC-06 each sign-in error shows the text of the specification', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await page.goto('/')
  await submitSignIn(page, { ...account, password: 'not the password' })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')

  const messages: [ErrorCode, string][] = [
    ['USER_NOT_FOUND', 'Account not found. Please check your email or create a new account.'],
    ['LICENSE_CHECK_FAILED', 'Unable to verify your account status. Please try again in a moment.'],
    ['LICENSE_PARSE_FAILED', 'Unable to verify your account status. Please try again in a moment.'],
    [
      'EMAIL_NOT_VERIFIED',
      'Please verify your email address before logging in. Check your email for the verification link.',
    ],
    ['EMAIL_OR_PHONE_REQUIRED', 'You must provide either an email or phone number and a password'],
  ]
  for (const [code, text] of messages) {
    await failSignIns(page, code, errorCatalogue[code].text)
    await submitSignIn(page, account)
    await expect(page.getByRole('alert').filter({ hasText: text })).toHaveText(text)
  }

  await failSignIns(page, 'INTERNAL', 'Email not confirmed')
  await submitSignIn(page, account)
  await expect(
    page.getByText('Please check your email and click the verification link before logging in.'),
  ).toBeVisible()
  await failSignIns(page, 'INTERNAL', '')
  await submitSignIn(page, account)
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toBeVisible()
})

test('signing in moves the focus into the files, and signing out into the landing page', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await expect(page.locator('#main')).toBeFocused()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
})

test('ACC-06 a server configured to reveal unknown accounts names them', async ({ page }) => {
  const revealingServer = await startServer({ environment: { AUTH_REVEAL_UNKNOWN_ACCOUNTS: 'on' } })
  await page.goto(revealingServer.url)
  await submitSignIn(page, { email: newEmail(), password: 'a password' })
  await expect(page.getByRole('alert')).toHaveText(
    'Account not found. Please check your email or create a new account.',
  )
  await revealingServer.stop()
})

test('ACC-20 a sign-in that the browser cannot establish shows the reason and stores nothing', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.goto('/')
  const errors = [
    ['session_not_found', 'Session from session_id claim in JWT does not exist', 'Auth session missing!'],
    ['bad_jwt', 'invalid JWT: unable to parse or verify signature', 'Invalid JWT signature'],
    ['unexpected_failure', 'JWKS is empty', 'The key set of the sign-in service is empty.'],
  ] as const
  for (const [code, message, expectedText] of errors) {
    await page.unrouteAll()
    await page.route('**/auth/v1/user', (route) =>
      route.fulfill({
        status: 403,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        json: { code, message },
      }),
    )
    await submitSignIn(page, account)
    await expect(page.getByRole('alert')).toHaveText(new RegExp(`^Failed to establish session: ${expectedText}`))
    expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
  }
})

test('ACC-11 T066 a remembered sign-in is extended by activity, on the server and in the page', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  // A trial would expire before the sign-in.
  await runAdmin(server, 'licence', account.email, '--type', 'vip')
  await page.clock.install()
  await page.goto('/')
  await page.getByLabel('Remember this device for 7 days (sliding on activity)').check()
  await submitSignIn(page, account)
  await expectFiles(page)
  const initialLifetime = await readSessionLifetime(page)
  expect(initialLifetime.expiresAtMs - initialLifetime.createdAtMs).toBe(7 * day)

  for (const days of [5, 10]) {
    await reloadUntilQuiet(page)
    await moveClocks(page, server, { aheadMs: days * day, byMs: 5 * day })
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => (await readSessionLifetime(page)).expiresAtMs)
      .toBeGreaterThan(initialLifetime.expiresAtMs + (days - 1) * day)
    await page.reload()
    await expectFiles(page)
  }
})

test('ACC-11 a sign-in warns 5 minutes before its end, and the password extends it in place', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  const elapsedMs = 3 * hour - 4 * minute
  await reloadUntilQuiet(page)
  await moveClocks(page, server, { aheadMs: elapsedMs, byMs: elapsedMs })

  await expect(page.getByText(/You’ll be signed out at \d{1,2}:\d\d/)).toBeVisible()
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stay signed in' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This is not your current password')
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()

  // The calls after the extension have to be answered before the clock moves, too.
  await page.waitForTimeout(3000)
  await moveClocks(page, server, { aheadMs: elapsedMs + 10 * minute, byMs: 10 * minute })
  await expect(page.getByText(/You’ll be signed out at/)).toHaveCount(0)
  await page.reload()
  await expectFiles(page)
})

/** Opens the files again and waits until nothing is requested. Without it, the calls after a sign-in may still run. */
async function reloadUntilQuiet(page: Page): Promise<void> {
  await page.reload()
  await expectFiles(page)
  await page.waitForLoadState('networkidle')
}

async function submitSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await fillSignIn(page, { email, password })
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Makes every sign-in fail with this error of the server. */
async function failSignIns(page: Page, code: ErrorCode, error: string): Promise<void> {
  await page.unrouteAll()
  const { status } = errorCatalogue[code]
  await page.route('**/api/login', (route) => route.fulfill({ status, json: { success: false, code, error } }))
}

const readSessionLifetime = (page: Page): Promise<{ createdAtMs: number; expiresAtMs: number }> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}'))

test('ACC-01 an address pasted with its name, mailto, invisible characters or a full stop signs in', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const spellings = [`Mara Lind <${account.email.toUpperCase()}>.`, `mailto:\u200b${account.email} `]
  for (const email of spellings) {
    await page.goto('/')
    await signIn(page, { ...account, email })
    await signOut(page)
  }
})
