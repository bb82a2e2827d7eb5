import { newEmail, newPassword } from '../../support/account/account.ts'
import { followConfirmationLink } from '../../support/account/confirmation.ts'
import { expect, test as mailTest } from '../../support/account/mail-journey.ts'
import { linkInEmail } from '../../support/account/mail-server.ts'
import { businessButton, fillBusinessForm, openBusinessForm } from '../../support/account/organization.ts'
import { enterPassword, expectFiles, fillSignIn, passwordField, signOut } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { test } from '../../support/journey.ts'

const checkoutFailed = 'Failed to start checkout. Please try again.'

test('PLN-07 ACC-08 the form of a team says what is missing, and creates one account only', async ({
  page,
  expectedErrors,
}) => {
  test.slow()
  const signUp = { name: 'Blue Whale', email: newEmail(), password: newPassword() }
  await openBusinessForm(page)
  await fillBusinessForm(page, { ...signUp, name: ' ', password: 'short', confirmation: 'other' })
  await expect(page.getByText('Please enter an organization name')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await fillBusinessForm(page, { ...signUp, name: 'https://evil.example' })
  await expect(page.getByText('Use letters, numbers and spaces. Links aren’t allowed.')).toBeVisible()
  await expectAccessible(page, 'form of a team with messages')
  await page.setViewportSize({ width: 1280, height: 860 })

  expectedErrors.push(/create-business-checkout|ERR_FAILED|Failed to fetch/)
  await page.route('**/api/stripe/create-business-checkout', (route) => route.abort())
  await fillBusinessForm(page, signUp)
  await expect(page.getByRole('alert')).toHaveText(checkoutFailed)
  // The account has this password now.
  await expect(passwordField(page, 'Password')).toHaveAttribute('readonly')
  await page.unroute('**/api/stripe/create-business-checkout')
  await page.getByRole('button', { name: 'Create Account & Continue to Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'The Business plan' })).toBeVisible()

  await page.getByRole('button', { name: 'Back' }).click()
  await openBusinessForm(page)
  await fillBusinessForm(page, signUp)
  await expect(page.getByRole('alert')).toHaveText('Account creation failed: User already registered')
  await expect(page.getByText('You may already have an account with this email.')).toBeVisible()
  await page.getByRole('button', { name: '← Plans' }).click()
  await expect(page.getByRole('button', { name: 'Start trial' })).toBeVisible()
})

test('PLN-07 T227 a team whose payment did not come finishes its setup after the next sign-in, or leaves it', async ({
  page,
}) => {
  test.slow()
  const signUp = { name: 'Blue Whale', email: newEmail(), password: newPassword() }
  await openBusinessForm(page)
  await fillBusinessForm(page, signUp)
  await page.getByRole('button', { name: 'Decline the card' }).click()
  await expect(page.getByRole('alert')).toHaveText('The payment was declined. Nothing was changed.')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()

  await fillSignIn(page, signUp)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  const setup = page.getByRole('status').filter({ hasText: 'Finish setting up Blue Whale' })
  await expect(setup).toBeVisible()
  await expectAccessible(page, 'setup that is not finished')
  await page.setViewportSize({ width: 1280, height: 860 })
  await tabTo(page, /Continue to Checkout/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('5 seats × $8.00')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(setup).toBeVisible()
  await setup.getByRole('button', { name: 'Not now' }).click()
  await expect(setup).toHaveCount(0)

  await signOut(page)
  await enterPassword(page, signUp)
  await expectFiles(page)
  await expect(setup).toHaveCount(0)
  await expect(businessButton(page)).toHaveCount(0)
})

mailTest('PLN-07 ACC-14 a team whose address is not confirmed yet waits for its owner', async ({ page, mail }) => {
  mailTest.slow()
  const signUp = { name: 'Blue Whale', email: newEmail(), password: newPassword() }
  await openBusinessForm(page)
  await fillBusinessForm(page, signUp)
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const waiting = page.getByText('Your team “Blue Whale” is waiting: sign in after that, and pay for its seats.')
  await expect(waiting).toBeVisible()
  await page.reload()
  await expect(waiting).toBeVisible()

  await followConfirmationLink(page, linkInEmail(await mail.nextEmailTo(signUp.email), '/auth/confirm'))
  await enterPassword(page, signUp)
  await expectFiles(page)
  await page.getByRole('button', { name: 'Continue to Checkout' }).click()
  await page.getByRole('button', { name: 'Pay $40.00' }).click()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()
  await expect(page.getByText('Finish setting up')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('businessSignup'))).toBeNull()
})

test('PLN-06 the page after the payment of a team shows no more than it knows', async ({ page }) => {
  await page.goto('/business-success')
  await expect(
    page.getByText('Business account setup complete! Please sign in to access your dashboard.'),
  ).toBeVisible()
  await expect(page.getByText('Checkout', { exact: true })).toHaveCount(0)
  await expectAccessible(page, 'end of the sign-up of a team')
  await page.getByRole('link', { name: 'Go now' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})
