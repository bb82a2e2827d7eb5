import type { Locator, Page } from '@playwright/test'
import {
  launchStripeServer,
  type StripeServer,
} from '../../../apps/server/src/testing/stripe/http/launch-stripe-server.ts'
import { test as base, expect } from '../journey.ts'
import { runAdmin } from './admin.ts'

interface StripeJourney {
  readonly stripe: StripeServer
}

const webhookSecret = 'whsec_journeys'
const environmentOf = ({ url, key }: StripeServer) => ({
  BILLING: 'stripe',
  STRIPE_SECRET_KEY: key,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_URL: url,
})

/** Journeys against a server whose plans are paid at a server in place of Stripe. */
export const test = base.extend<StripeJourney>({
  stripe: async ({ browserName: _ }, use) => {
    const stripe = await launchStripeServer()
    await use(stripe)
    await stripe.stop()
  },
  server: async ({ serverRunner, stripe }, use) => {
    const environment = environmentOf(stripe)
    const server = await serverRunner.start(environment)
    await runAdmin({ ...server, environment }, 'billing', 'setup')
    stripe.deliverTo(`${server.url}/api/stripe/webhook`, [webhookSecret])
    await use(server)
    await server.stop()
  },
})

export { expect }

/** The card of the plan in Settings. */
export const planCard = (page: Page): Locator => page.getByRole('region', { name: /^Subscription/ })

/** Opens the plans from the settings. */
export async function openPlans(page: Page, url = ''): Promise<Locator> {
  await page.goto(`${url}/settings`)
  await planCard(page).getByRole('button', { name: 'Upgrade' }).click()
  return page.getByRole('dialog', { name: 'Upgrade Your Plan' })
}

/** Opens the page of Stripe on which the personal plan is paid. */
export async function openCheckout(page: Page, stripe: StripeServer, url = ''): Promise<void> {
  const plans = await openPlans(page, url)
  await plans.getByRole('button', { name: 'Subscribe Now' }).click()
  await expectStripe(page, stripe)
}

export const expectStripe = (page: Page, stripe: StripeServer): Promise<void> =>
  expect(page).toHaveURL(({ href }) => href.startsWith(stripe.url))

/** A button on a page of Stripe. */
export const stripeButton = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
