import { openAdmin, userCard, viewUser } from '../../support/account/admin-area.ts'
import { openNewAccount } from '../../support/account/open-files.ts'
import { expect, openCheckout, test } from '../../support/account/stripe-journey.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'

const desktop = { width: 1280, height: 860 }

test('ADM-04 PLN-05 an admin reads a payment from Stripe whose events were lost and whose buyer never came back', async ({
  page,
  server,
  stripe,
  anotherBrowser,
}) => {
  test.slow()
  await openAdmin(page, server)
  stripe.deliverTo(null)
  const buyerPage = await (await anotherBrowser()).newPage()
  const buyer = await openNewAccount(buyerPage, server.url)
  await openCheckout(buyerPage, stripe, server.url)
  const checkoutId = new URL(buyerPage.url()).pathname.split('/').at(-1) ?? ''
  await buyerPage.close()
  await stripe.pay(checkoutId)

  await viewUser(page, buyer.email)
  const card = userCard(page, 'Subscription')
  await expect(card.getByText('None')).toBeVisible()
  await expectAccessible(page, 'subscription of a user at Stripe')
  await page.setViewportSize(desktop)
  await card.getByRole('button', { name: 'Sync from Stripe' }).click()
  await expect(card.getByText('Active', { exact: true })).toBeVisible()
  await expect(card.getByText(/^sub_/)).toBeVisible()
  await expect(card.getByText(/^cus_/)).toBeVisible()
  await expect(card.getByRole('alert')).toHaveCount(0)

  await stripe.stop()
  await card.getByRole('button', { name: 'Sync from Stripe' }).click()
  await expect(card.getByRole('alert')).toHaveText('The payment service isn’t responding. Try again.')
})
