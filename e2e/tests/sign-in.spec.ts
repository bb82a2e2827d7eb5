import type { Page } from '@playwright/test'
import type { ErrorCode } from '@sallyport/contract/error-codes'
import { errorCatalogue } from '@sallyport/contract/errors'
import { createAccount, newEmail } from '../support/account.ts'
import { runAdmin } from '../support/admin.ts'
import { expect, test } from '../support/journey.ts'
import { expectFiles, fillSignIn, signIn } from '../support/people.ts'
import { startServer } from '../support/server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('ACC-06 each refusal of a sign-in reads as it is laid down', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await page.goto('/')
  await enter(page, { ...account, password: 'not the password' })
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password')

  const texts: [ErrorCode, string][] = [
    ['USER_NOT_FOUND', 'Account not found. Please check your email or create a new account.'],
    ['LICENSE_CHECK_FAILED', 'Unable to verify your account status. Please try again in a moment.'],
    ['LICENSE_PARSE_FAILED', 'Unable to verify your account status. Please try again in a moment.'],
    [
      'EMAIL_NOT_VERIFIED',
      'Please verify your email address before logging in. Check your email for the verification link.',
    ],
    ['EMAIL_OR_PHONE_REQUIRED', 'You must provide either an email or phone number and a password'],
  ]
  for (const [code, text] of texts) {
    await refuseSignIns(page, code, errorCatalogue[code].text)
    await enter(page, account)
    await expect(page.getByRole('alert').filter({ hasText: text })).toHaveText(text)
  }

  await refuseSignIns(page, 'INTERNAL', 'Email not confirmed')
  await enter(page, account)
  await expect(
    page.getByText('Please check your email and click the verification link before logging in.'),
  ).toBeVisible()
  await refuseSignIns(page, 'INTERNAL', '')
  await enter(page, account)
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toBeVisible()
})

test('ACC-06 a server that is told to names unknown accounts', async ({ page }) => {
  const open = await startServer({ environment: { AUTH_REVEAL_UNKNOWN_ACCOUNTS: 'on' } })
  await page.goto(open.url)
  await enter(page, { email: newEmail(), password: 'a password' })
  await expect(page.getByRole('alert')).toHaveText(
    'Account not found. Please check your email or create a new account.',
  )
  await open.stop()
})

test('ACC-20 a sign-in that the browser cannot take up says why in words, and nothing of it is kept', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.goto('/')
  const reasons = [
    ['session_not_found', 'Session from session_id claim in JWT does not exist', 'Auth session missing!'],
    ['bad_jwt', 'invalid JWT: unable to parse or verify signature', 'Invalid JWT signature'],
    ['unexpected_failure', 'JWKS is empty', 'The key set of the sign-in service is empty.'],
  ] as const
  for (const [code, message, words] of reasons) {
    await page.unrouteAll()
    await page.route('**/auth/v1/user', (route) =>
      route.fulfill({
        status: 403,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        json: { code, message },
      }),
    )
    await enter(page, account)
    await expect(page.getByRole('alert')).toHaveText(new RegExp(`^Failed to establish session: ${words}`))
    expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
  }
})

test('ACC-11 T066 a remembered sign-in slides with activity, on the server as in the page', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  // A trial would be over before the sign-in is.
  await runAdmin(server, 'licence', account.email, '--type', 'vip')
  await page.clock.install()
  await page.goto('/')
  await page.getByLabel('Remember this device for 7 days (sliding on activity)').check()
  await enter(page, account)
  await expectFiles(page)
  const before = await policyOf(page)
  expect(before.expiresAtMs - before.createdAtMs).toBe(7 * day)

  for (const passed of [5, 10]) {
    await server.setClock(passed * day)
    await page.clock.fastForward(5 * day)
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => (await policyOf(page)).expiresAtMs)
      .toBeGreaterThan(before.expiresAtMs + (passed - 1) * day)
    await page.reload()
    await expectFiles(page)
  }
})

test('ACC-11 five minutes before its end a sign-in warns, and the password prolongs it where one is', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await page.clock.install()
  await signIn(page, account)
  const ahead = 3 * hour - 4 * minute
  await server.setClock(ahead)
  await page.clock.fastForward(ahead)

  await expect(page.getByText(/Signing out at \d\d:\d\d to protect your keys/)).toBeVisible()
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stay signed in' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Invalid email or password')
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()

  await server.setClock(ahead + 10 * minute)
  await page.clock.fastForward(10 * minute)
  await expect(page.getByText(/Signing out at/)).toHaveCount(0)
  await page.reload()
  await expectFiles(page)
})

async function enter(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await fillSignIn(page, { email, password })
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Has the server's own refusal come back, whatever was sent. */
async function refuseSignIns(page: Page, code: ErrorCode, error: string): Promise<void> {
  await page.unrouteAll()
  const { status } = errorCatalogue[code]
  await page.route('**/api/login', (route) => route.fulfill({ status, json: { success: false, code, error } }))
}

const policyOf = (page: Page): Promise<{ createdAtMs: number; expiresAtMs: number }> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}'))
