import type { Page } from '@playwright/test'
import { createAccount, newEmail } from '../../support/account/account.ts'
import { expectFiles, fillSignIn, passwordField } from '../../support/account/users.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

test('ACC-01 ACC-02 sign-in is enabled once both fields are filled, shows that it is busy, and reports success for 1 second', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/login', async (route) => {
    await released
    await route.continue()
  })
  await page.clock.install()
  await page.goto('/')
  const button = page.getByRole('button', { name: /^(Sign In|Signing In\.\.\.)$/ })

  await expect(button).toBeDisabled()
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email.toUpperCase())
  await expect(button).toBeDisabled()
  await passwordField(page, 'Password').fill(account.password)
  await expect(button).toBeEnabled()
  await expect(page.getByLabel('Remember this device for 7 days (sliding on activity)')).not.toBeChecked()
  await button.click()

  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible()
  await pauseClock(page)
  release()
  await stepUntilVisible(page.getByText('Login successful!'))
  await expectShownFor(page.getByText('Login successful!'), 1000)
  await page.clock.resume()
  await expectFiles(page)
  const policy = await page.evaluate(() => localStorage.getItem('sessionPolicy'))
  expect(JSON.parse(policy ?? '{}')).toMatchObject({ rememberDevice: false })
})

test('ACC-06 a wrong password and an unknown address get the same error', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await page.goto('/')

  for (const email of [account.email, newEmail()]) {
    await fillSignIn(page, { email, password: 'not the password' })
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
    await page.getByRole('textbox', { name: 'Email' }).fill('')
  }
})

test('ACC-08 the trial form silently ignores differing passwords and requires at least 6 characters', async ({
  page,
}) => {
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await openTrialForm(page)
  const button = page.getByRole('button', { name: 'Create Account' })
  await expect(button).toBeDisabled()

  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await passwordField(page, 'Password').fill('long enough')
  await passwordField(page, 'Confirm password').fill('long enougH')
  await expect(page.getByText('Passwords don’t match yet')).toBeVisible()
  await button.click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(button).toBeEnabled()

  await passwordField(page, 'Password').fill('short')
  await passwordField(page, 'Confirm password').fill('short')
  await expect(page.getByText('Passwords match', { exact: true })).toBeVisible()
  await button.click()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  expect(requestedPaths.filter((path) => path.includes('prelogin') || path.includes('register'))).toEqual([])

  await passwordField(page, 'Password').fill('sesame')
  await passwordField(page, 'Confirm password').fill('sesame')
  await button.click()
  await expectFiles(page)
})

test('ACC-08 PLN-01 the plans show price and storage, and each form leads back to them', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('tab', { name: 'Sign Up' }).click()

  const trial = page.getByRole('region', { name: 'Trial' })
  const personal = page.getByRole('region', { name: 'Personal' })
  await expect(trial).toContainText('$0')
  await expect(trial).toContainText('for 7 days')
  await expect(trial).toContainText('1 GB storage')
  await expect(trial).toContainText('No card needed')
  await expect(personal).toContainText('$10')
  await expect(personal).toContainText('per month')
  await expect(personal).toContainText('50 GB storage')
  await expect(personal).toContainText('Recommended')

  await personal.getByRole('button').click()
  await expect(page.getByText('No charge, no card required.')).toBeVisible()
  await page
    .getByRole('button', { name: '← Plans' })
    .or(page.getByRole('link', { name: '← Plans' }))
    .click()
  await expect(trial).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeVisible()
})

test('ACC-07 ACC-21 sign-up with a taken address points to sign-in, and a made-up licence key is rejected', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await openTrialForm(page)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await passwordField(page, 'Password').fill('another one')
  await passwordField(page, 'Confirm password').fill('another one')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'You may already have an account with this email. Sign in, or reset your password if you forgot it.',
  )

  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await page.getByRole('button', { name: 'I have a licence key' }).click()
  await page.getByRole('textbox', { name: 'Licence key (optional)' }).fill('SP-00000-00000-00000-00000')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('alert')).toHaveText('This licence key is not valid')
})

test('ACC-06 an unreachable server shows an error at sign-in, and the form keeps its values', async ({ page }) => {
  await page.goto('/')
  await fillSignIn(page, { email: 'mara@example.org', password: 'a password' })
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))

  await page.getByRole('button', { name: 'Sign In', exact: true }).click()

  await expect(page.getByRole('alert')).toHaveText(/\w/)
  await expect(passwordField(page, 'Password')).toHaveValue('a password')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
})

test('a browser without space for site data says so at sign-in', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await page.goto(server.url)
  await page.evaluate(() => {
    for (let length = 4 * 1024 * 1024; length >= 1; length = Math.floor(length / 2)) {
      try {
        for (;;) localStorage.setItem(`filler ${localStorage.length}`, 'x'.repeat(length))
      } catch {}
    }
  })

  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()

  await expect(page.getByRole('alert')).toHaveText(
    'Your browser has no space left for this site. Free some space, then try again.',
  )
})

test('T032 a server that asks for an unknown or weaker login derivation gets no credential', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('loginProfile', '2'))
  for (const profiles of [[1], [9], [0]]) {
    await page.unrouteAll()
    await page.route('**/api/auth/prelogin', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), profiles } })
    })
    await fillSignIn(page, account)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText(
      /This server (needs a newer version of this page|asks for weaker password protection)/,
    )
  }
  expect(requestedPaths.filter((path) => path === '/api/login')).toEqual([])
})

test('ACC-01 the focus follows from each view of the landing page to the next, and no PIN field asks for a code', async ({
  page,
}) => {
  await openTrialForm(page)
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.getByRole('tab', { name: 'Sign In' }).click()

  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Email' }).fill('mara@example.org')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
  await page.getByRole('button', { name: '← Sign In' }).click()
  await expect(page.getByRole('textbox', { name: 'Email or phone number' })).toBeFocused()

  await page.getByRole('tab', { name: 'Join Session' }).click()
  for (const field of await page.getByRole('textbox').all())
    await expect(field).not.toHaveAttribute('autocomplete', 'one-time-code')
})

async function openTrialForm(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Start trial' }).click()
}

test('each tab of the landing page adds one entry to the history, and Back returns to the tab before', async ({
  page,
}) => {
  await page.goto('/')
  const entries = () => page.evaluate(() => history.length)
  const before = await entries()

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL(/#signup$/)
  await page.getByRole('tab', { name: 'Join Session' }).click()
  await expect(page).toHaveURL(/#joinSession$/)

  expect(await entries()).toBe(before + 2)
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
})

test('Sign Up says that registration is closed and how to reach the operator', async ({ page }) => {
  const server = await startServer({ environment: { REGISTRATION: 'closed', OPERATOR_CONTACT: 'ada@example.org' } })
  await page.goto(server.url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()

  await expect(page.getByRole('heading', { name: 'Registration is closed' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'ada@example.org' })).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create Account' })).toHaveCount(0)
  await server.stop()
})

test('Sign Up asks for the invitation or the licence key where registration needs one', async ({ page }) => {
  const server = await startServer({ environment: { REGISTRATION: 'invite' } })
  await page.goto(server.url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()

  await expect(page.getByText('You need an invitation to create an account.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Licence key (optional)' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await passwordField(page, 'Password').fill('long enough')
  await passwordField(page, 'Confirm password').fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await server.stop()
})

test('Sign Up shows no plans or prices where the default plan never ends', async ({ page }) => {
  const server = await startServer({ environment: { DEFAULT_PLAN: 'personal', DEFAULT_STORAGE_GB: '20' } })
  await page.goto(server.url)
  await page.getByRole('tab', { name: 'Sign Up' }).click()

  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await passwordField(page, 'Password').fill('long enough')
  await passwordField(page, 'Confirm password').fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectFiles(page)
  await page.goto(`${server.url}/settings`)
  await expect(page.getByText('of 20.00 GB')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upgrade' })).toHaveCount(0)
  await server.stop()
})
