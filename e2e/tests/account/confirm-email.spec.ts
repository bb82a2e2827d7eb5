import { newEmail, newPassword } from '../../support/account/account.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { expectFiles, fillSignIn, register } from '../../support/account/users.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'

test('ACC-14 SHL-07 ACC-07 T061 sign-up, email confirmation and sign-in lead to the files; link scanners do not use up the link', async ({
  page,
  mail,
  server,
}) => {
  const credentials = { email: newEmail(), password: newPassword() }
  await register(page, credentials)
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: credentials.email })).toBeVisible()
  const link = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')

  for (const method of ['GET', 'HEAD', 'GET']) await fetch(server.url + link.replace('#', '?'), { method })

  await page.clock.install()
  await pauseClock(page)
  await page.goto(link)
  await stepUntilVisible(page.getByRole('button', { name: 'Confirm', exact: true }))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await stepUntilVisible(page.getByRole('heading', { name: 'Email verified' }))
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('auth')))).toEqual([])

  await expectShownFor(page.getByRole('heading', { name: 'Email verified' }), 3000)
  await page.waitForURL(/\/\?verified=true/)
  await stepUntilVisible(page.getByText('Email Verified Successfully!'))
  await expectShownFor(page.getByText('Email Verified Successfully!'), 5000)
  await page.clock.resume()
  expect(new URL(page.url()).search).toBe('')

  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
})

test('ACC-06 ACC-14 an unconfirmed user sees why the sign-in failed and can resend the email once a minute', async ({
  page,
  mail,
}) => {
  const credentials = { email: newEmail(), password: newPassword() }
  await register(page, credentials)
  await mail.nextEmailTo(credentials.email)
  await page.getByRole('button', { name: 'Go to Sign In' }).click()

  await fillSignIn(page, credentials)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(
    page.getByText('Please verify your email address before logging in. Check your email for the verification link.'),
  ).toBeVisible()
  const resendButton = page.getByRole('button', { name: 'Resend email' })
  await resendButton.click()
  await expect(page.getByText(/Sent\. You can resend in \d+ s\.|only request this/)).toBeVisible()
})

test('ACC-14 T062 an incomplete, used or failed link shows the error as plain text and leads to Sign In', async ({
  page,
  mail,
}) => {
  const credentials = { email: newEmail(), password: newPassword() }
  const failureHeading = page.getByRole('heading', { name: 'Email verification failed' })

  for (const address of ['/auth/confirm', '/auth/confirm?token_hash=x', '/auth/confirm#token_hash=x&type=recovery']) {
    await page.goto('about:blank')
    await page.goto(address)
    await expect(failureHeading).toBeVisible()
    await expect(page.getByText('Invalid verification link.')).toBeVisible()
  }

  const markup = '<img src=x onerror="window.hit=1">'
  await page.goto(`/auth/confirm?error_code=otp_expired&error_description=${encodeURIComponent(markup)}`)
  await expect(page.getByText(`URL Error: ${markup}`)).toBeVisible()
  await expect(page.locator('main img')).toHaveCount(0)
  expect(await page.evaluate(() => Reflect.has(window, 'hit'))).toBe(false)

  await register(page, credentials)
  const link = linkInEmail(await mail.nextEmailTo(credentials.email), '/auth/confirm')
  // Otherwise the page would continue before the click.
  await page.clock.install()
  await pauseClock(page)
  // The page also accepts the form of the specification.
  await page.goto(link.replace('#', '?'))
  await stepUntilVisible(page.getByRole('button', { name: 'Confirm', exact: true }))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await stepUntilVisible(page.getByRole('heading', { name: 'Email verified' }))
  await page.getByRole('link', { name: 'Go now' }).click()
  await stepUntilVisible(page.getByText('Email Verified Successfully!'))
  await page.clock.resume()

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Your email is already confirmed' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible()
  await page.goto('/auth/confirm#token_hash=madeup&type=email')
  await expect(failureHeading).toBeVisible()
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeDisabled()
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
})
