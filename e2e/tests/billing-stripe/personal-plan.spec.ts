import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import {
  expect,
  expectStripe,
  openCheckout,
  planCard,
  stripeButton,
  test,
} from '../../support/account/stripe-journey.ts'
import { expectFiles, signIn, signOut } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'

const day = 24 * 60 * 60_000
const desktop = { width: 1280, height: 860 }

const unpaid = (page: Page) =>
  planCard(page).getByText(
    /^The last payment failed\. Update your payment method by \d+ \w+ \d{4} to keep your plan\.$/,
  )

test('PLN-01 PLN-02 PLN-04 PLN-06 SET-04 a personal plan is paid at Stripe, shown there with its invoices, and cancelled', async ({
  page,
  stripe,
}) => {
  test.slow()
  await openNewAccount(page)
  await openCheckout(page, stripe)
  await stripeButton(page, 'Decline the card').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectStripe(page, stripe)

  // The Back button leads to a page whose buttons work.
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Processing...' })).toHaveCount(0)
  await openCheckout(page, stripe)
  await stripeButton(page, 'Pay').click()
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await expectFiles(page)

  await page.goto('/settings')
  await expect(planCard(page).getByText('Active', { exact: true })).toBeVisible()
  await expect(planCard(page).getByText('$10.00 per month')).toBeVisible()
  await expectAccessible(page, 'subscription at Stripe')
  await page.setViewportSize(desktop)
  await planCard(page).getByRole('button', { name: 'Payment details' }).click()
  await expectStripe(page, stripe)
  await page.getByRole('link', { name: 'Return' }).click()

  await expect(page).toHaveURL('/settings')
  await planCard(page).getByRole('button', { name: 'Cancel Subscription' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, Cancel Subscription' }).click()
  await expect(planCard(page).getByText('Ending Soon')).toBeVisible()
  await expect(planCard(page).getByRole('button', { name: 'Payment details' })).toBeVisible()
  await expect(planCard(page).getByRole('button', { name: 'Cancel Subscription' })).toHaveCount(0)
})

test('PLN-05 SET-04 a renewal that is declined shows until when the plan stays, and the payment page ends that', async ({
  page,
  server,
  stripe,
}) => {
  test.slow()
  const account = await openNewAccount(page)
  await openCheckout(page, stripe)
  await stripeButton(page, 'Pay').click()
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await expectFiles(page)
  await signOut(page)

  stripe.setChargeOutcome('decline')
  const later = 32 * day
  await server.setClock(later)
  await stripe.advance(later)
  await signIn(page, account)
  await page.goto('/settings')
  await expect(unpaid(page)).toBeVisible()
  await expect(planCard(page).getByText('Payment overdue')).toBeVisible()
  await expectAccessible(page, 'plan whose payment has failed')
  await page.setViewportSize(desktop)

  await planCard(page).getByRole('button', { name: 'Update' }).click()
  await stripeButton(page, 'Pay open invoices').click()
  await page.getByRole('link', { name: 'Return' }).click()
  await expect(planCard(page).getByText('Active', { exact: true })).toBeVisible()
  await expect(unpaid(page)).toHaveCount(0)
})

test('PLN-04 a plan stays as it is if Stripe cannot be reached, and the page says so', async ({ page, stripe }) => {
  await openNewAccount(page)
  await openCheckout(page, stripe)
  await stripeButton(page, 'Pay').click()
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await page.goto('/settings')
  await expect(planCard(page).getByRole('button', { name: 'Payment details' })).toBeVisible()

  await stripe.stop()
  await planCard(page).getByRole('button', { name: 'Payment details' }).click()
  await expect(planCard(page).getByRole('alert')).toHaveText('The payment service isn’t responding. Try again.')
  await expect(planCard(page).getByText('Active', { exact: true })).toBeVisible()
})
