import { newEmail, newPassword } from '../support/account.ts'
import { expect, test } from '../support/mail-journey.ts'
import { linkIn } from '../support/mail-server.ts'
import { expectFiles, fillSignIn, register } from '../support/people.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'

test('ACC-14 SHL-07 ACC-07 T061 from signing up by way of a letter to one’s files; scanners of mail use nothing up', async ({
  page,
  mail,
  server,
}) => {
  const person = { email: newEmail(), password: newPassword() }
  await register(page, person)
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: person.email })).toBeVisible()
  const link = linkIn(await mail.letterTo(person.email), '/auth/confirm')

  for (const method of ['GET', 'HEAD', 'GET']) await fetch(server.url + link.replace('#', '?'), { method })

  await page.clock.install()
  await stopTime(page)
  await page.goto(link)
  await stepUntilVisible(page.getByRole('heading', { name: 'Email verified' }))
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('auth')))).toEqual([])

  await expectShownFor(page.getByRole('heading', { name: 'Email verified' }), 3000)
  await page.waitForURL(/\/\?verified=true/)
  await stepUntilVisible(page.getByText('Email Verified Successfully!'))
  await expectShownFor(page.getByText('Email Verified Successfully!'), 5000)
  await page.clock.resume()
  expect(new URL(page.url()).search).toBe('')

  await fillSignIn(page, person)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
})

test('ACC-06 ACC-14 whoever has not confirmed is told so, has the mail sent again once a minute, and its link works once', async ({
  page,
  mail,
}) => {
  const person = { email: newEmail(), password: newPassword() }
  await register(page, person)
  await mail.letterTo(person.email)
  await page.getByRole('button', { name: 'Go to Sign In' }).click()

  await fillSignIn(page, person)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(
    page.getByText('Please verify your email address before logging in. Check your email for the verification link.'),
  ).toBeVisible()
  const again = page.getByRole('button', { name: 'Send the mail again' })
  await again.click()
  await expect(page.getByText(/Sent\. You can ask again in \d+ s\.|only request this/)).toBeVisible()
})

test('ACC-14 T062 a link that is not whole, was used or carries an error says so as plain text and leads to Sign In', async ({
  page,
  mail,
}) => {
  const person = { email: newEmail(), password: newPassword() }
  const failed = page.getByRole('heading', { name: 'Email verification failed' })

  for (const address of ['/auth/confirm', '/auth/confirm?token_hash=x', '/auth/confirm#token_hash=x&type=recovery']) {
    await page.goto('about:blank')
    await page.goto(address)
    await expect(failed).toBeVisible()
    await expect(page.getByText('Invalid verification link.')).toBeVisible()
  }

  const picture = '<img src=x onerror="window.hit=1">'
  await page.goto(`/auth/confirm?error_code=otp_expired&error_description=${encodeURIComponent(picture)}`)
  await expect(page.getByText(`URL Error: ${picture}`)).toBeVisible()
  await expect(page.locator('main img')).toHaveCount(0)
  expect(await page.evaluate(() => Reflect.has(window, 'hit'))).toBe(false)

  await register(page, person)
  const link = linkIn(await mail.letterTo(person.email), '/auth/confirm')
  // Left to itself, the page would go on before it is pressed.
  await page.clock.install()
  await stopTime(page)
  // The specification's form is read as well.
  await page.goto(link.replace('#', '?'))
  await stepUntilVisible(page.getByRole('heading', { name: 'Email verified' }))
  await page.getByRole('link', { name: 'Go now' }).click()
  await stepUntilVisible(page.getByText('Email Verified Successfully!'))
  await page.clock.resume()

  await page.goto(link)
  await expect(failed).toBeVisible()
  await expect(page.getByText('This link has expired or was used before.')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeDisabled()
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
})
