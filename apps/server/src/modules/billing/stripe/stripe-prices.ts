import type { PaidPlan } from '@sallyport/contract/billing'
import type { Stripe } from 'stripe'
import { paymentsRefused } from './stripe-errors.ts'

/** The names under which a price is found whatever its id is. */
export const lookupKeys: Readonly<Record<PaidPlan, string>> = {
  personal: 'sallyport_personal_monthly',
  business: 'sallyport_business_seat_monthly',
}

export const priceCurrency = 'usd'

const cacheMs = 10 * 60 * 1000

interface PriceFinderDeps {
  readonly stripe: Stripe
  readonly now: () => number
}

/** What is wrong with a price that should cost so much per month for one of the quantity; null for nothing. */
export function findPriceProblem(price: Stripe.Price, cents: number): string | null {
  const { unit_amount, currency, recurring, billing_scheme } = price
  if (unit_amount !== cents || currency !== priceCurrency)
    return `is ${unit_amount} ${currency}, expected ${cents} ${priceCurrency}`
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'is not paid each month'
  if (recurring.usage_type !== 'licensed' || billing_scheme !== 'per_unit') return 'is not paid by quantity'
  return null
}

/** Returns the active price of a plan, or null. */
export async function findPrice(stripe: Stripe, plan: PaidPlan): Promise<Stripe.Price | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKeys[plan]], active: true })
  return data[0] ?? null
}

/** Finds the prices of the plans, and remembers them for ten minutes. */
export function createPriceFinder({ stripe, now }: PriceFinderDeps) {
  const cached = new Map<PaidPlan, { readonly price: Stripe.Price; readonly until: number }>()

  return {
    /** Returns the id of a price. Throws PAYMENTS_REFUSED unless it costs as much as the plan here. */
    async requirePriceId(plan: PaidPlan, cents: number): Promise<string> {
      const known = cached.get(plan)
      const price = known !== undefined && known.until > now() ? known.price : await findPrice(stripe, plan)
      const problem = price === null ? 'does not exist' : findPriceProblem(price, cents)
      if (price === null || problem !== null) {
        cached.delete(plan)
        const label = price === null ? lookupKeys[plan] : `${lookupKeys[plan]} (${price.id})`
        throw paymentsRefused(`The price ${label} at Stripe ${problem}: run \`npm run admin -- billing setup\``)
      }
      if (price !== known?.price) cached.set(plan, { price, until: now() + cacheMs })
      return price.id
    },
    /** Forgets the prices, one of which may have become inactive. */
    clear: (): void => cached.clear(),
  }
}

export type PriceFinder = ReturnType<typeof createPriceFinder>
