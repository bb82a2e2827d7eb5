import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { tile } from '../../support/account/organization.ts'
import { expect, expectStripe, openPlans, stripeButton, test } from '../../support/account/stripe-journey.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'

const desktop = { width: 1280, height: 860 }

const seatsDialog = (page: Page) => page.getByRole('dialog', { name: 'Add More Seats' })

/** Orders more seats in the dialog, which is open. */
async function addSeats(page: Page, count: number): Promise<void> {
  await seatsDialog(page).getByLabel('Number of seats').fill(String(count))
  await seatsDialog(page).getByRole('button', { name: 'Add Seats' }).click()
}

test('PLN-03 PLN-04 ORG-01 ORG-03 T227 seats are paid at Stripe, declined, and confirmed with the bank', async ({
  page,
  stripe,
}) => {
  test.slow()
  await openNewAccount(page)
  const plans = await openPlans(page)
  await plans.getByRole('radio', { name: /Business/ }).check()
  await plans.getByRole('button', { name: 'Subscribe Now' }).click()
  const details = page.getByRole('dialog', { name: 'Organization Details' })
  await details.getByRole('textbox', { name: 'Organization Name *' }).fill('Blue Whale')
  await details.getByRole('button', { name: 'Continue to Checkout' }).click()
  await stripeButton(page, 'Pay').click()
  await expect(page.getByText('Your Business plan is active.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Blue Whale' })).toBeVisible()
  await expect(tile(page, 'Total Seats')).toHaveText('5')
  await expect(tile(page, 'Monthly Cost')).toContainText('$40.00')
  await expect(page.getByRole('button', { name: 'Payment details' })).toBeVisible()
  await expectAccessible(page, 'dashboard with seats at Stripe')
  await page.setViewportSize(desktop)

  await page.getByRole('button', { name: 'Add More Seats' }).click()
  await addSeats(page, 2)
  await expect(page.getByText(/^2 seats added\. \$\d.* was charged\.$/)).toBeVisible()
  await expect(tile(page, 'Total Seats')).toHaveText('7')
  await expect(seatsDialog(page)).toBeHidden()

  // The same number again within 10 seconds would be the same order.
  stripe.setChargeOutcome('decline')
  await page.getByRole('button', { name: 'Add More Seats' }).click()
  await addSeats(page, 3)
  await expect(seatsDialog(page).getByRole('alert')).toHaveText('The payment was declined. Nothing was changed.')
  await expect(seatsDialog(page).getByRole('button', { name: 'Confirm the payment' })).toHaveCount(0)
  await expect(tile(page, 'Total Seats')).toHaveText('7')

  stripe.setChargeOutcome('action')
  await addSeats(page, 3)
  await expect(seatsDialog(page).getByRole('alert')).toHaveText(
    'Your bank asks you to confirm this payment. Nothing changes until then.',
  )
  await expectAccessible(page, 'seats whose payment has to be confirmed')
  await page.setViewportSize(desktop)
  await seatsDialog(page).getByRole('button', { name: 'Confirm the payment' }).click()
  await expectStripe(page, stripe)
  await stripeButton(page, 'Confirm').click()
  await expect(page.getByText('This invoice is paid.')).toBeVisible()

  await page.goto('/business')
  await expect(tile(page, 'Total Seats')).toHaveText('10')
  await expect(tile(page, 'Monthly Cost')).toContainText('$80.00')
})
