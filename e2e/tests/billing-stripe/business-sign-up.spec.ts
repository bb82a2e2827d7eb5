import { newEmail, newPassword } from '../../support/account/account.ts'
import { businessButton, fillBusinessForm, openBusinessForm } from '../../support/account/organization.ts'
import { expect, expectStripe, stripeButton, test } from '../../support/account/stripe-journey.ts'
import { enterPassword, expectFiles } from '../../support/account/users.ts'

test('PLN-06 PLN-07 a team signs up, pays at Stripe, and has its organization after the sign-in', async ({
  page,
  stripe,
}) => {
  test.slow()
  const signUp = { name: 'Blue Whale', email: newEmail(), password: newPassword() }
  await openBusinessForm(page)
  await fillBusinessForm(page, signUp)
  await expectStripe(page, stripe)
  await stripeButton(page, 'Pay').click()

  await expect(
    page.getByText('Business account setup complete! Please sign in to access your dashboard.'),
  ).toBeVisible()
  expect(page.url()).toContain('session_id=cs_')
  await page.getByRole('link', { name: 'Go now' }).click()
  await enterPassword(page, signUp)
  await expectFiles(page)
  await expect(page.getByText('Finish setting up')).toHaveCount(0)
  await businessButton(page).click()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('businessSignup'))).toBeNull()
})
