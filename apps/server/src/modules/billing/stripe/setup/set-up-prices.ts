import type { PaidPlan } from '@sallyport/contract/billing'
import type { Stripe } from 'stripe'
import { idOf, metadataKeys, pageSize } from '../stripe-objects.ts'
import { findPrice, findPriceProblem, lookupKeys, priceCurrency } from '../stripe-prices.ts'
import type { StripeSetup } from './setup-options.ts'

/** A plan as it is sold. */
export interface SoldPlan {
  readonly plan: PaidPlan
  /** Shown on the page of Stripe and on invoices. */
  readonly name: string
  /** Per month for one of the quantity. */
  readonly cents: number
}

type PriceSetup = Pick<StripeSetup, 'stripe' | 'isDryRun'>

/** Creates the product and the price of a plan, and replaces a price that differs. Yields what it did and found. */
export async function* setUpPrice(setup: PriceSetup, sold: SoldPlan): AsyncGenerator<string> {
  const { stripe, isDryRun } = setup
  const { plan, cents } = sold
  const key = lookupKeys[plan]
  const found = await findPrice(stripe, plan)
  const product = await findProduct(stripe, plan, found)
  const productId = yield* setUpProduct(setup, sold, product)
  const problem = found && findPriceProblem(found, cents)
  if (found && problem === null) {
    yield `Price ${key}: ${found.id} is ${formatPrice(cents)}`
    yield* deactivateOthers(setup, sold, { productId, currentId: found.id, replaced: null })
    return
  }
  if (found) yield `Price ${key}: ${found.id} ${problem}`
  if (isDryRun || productId === null) {
    yield `Price ${key}: would create one of ${formatPrice(cents)}`
    if (found) yield `Price ${key}: would deactivate ${found.id}; running subscriptions keep it`
    return
  }
  const created = await stripe.prices.create({
    product: productId,
    currency: priceCurrency,
    unit_amount: cents,
    recurring: { interval: 'month', usage_type: 'licensed' },
    lookup_key: key,
    transfer_lookup_key: true,
    metadata: { [metadataKeys.plan]: plan },
  })
  yield `Price ${key}: created ${created.id} of ${formatPrice(cents)}`
  yield* deactivateOthers(setup, sold, { productId, currentId: created.id, replaced: found })
}

/** The product of the price or, without one, the product of the plan. */
async function findProduct(stripe: Stripe, plan: PaidPlan, price: Stripe.Price | null): Promise<Stripe.Product | null> {
  const productId = price && idOf(price.product)
  for await (const product of stripe.products.list({ limit: pageSize }))
    if (productId === null ? product.metadata[metadataKeys.plan] === plan : product.id === productId) return product
  return null
}

/** Returns the id of the product; null if it would be created. */
async function* setUpProduct(
  { stripe, isDryRun }: PriceSetup,
  { plan, name }: SoldPlan,
  product: Stripe.Product | null,
): AsyncGenerator<string, string | null> {
  if (product?.active) {
    yield `Product ${name}: ${product.id} exists`
    return product.id
  }
  if (isDryRun) {
    yield product ? `Product ${name}: would activate ${product.id}` : `Product ${name}: would create one`
    return product?.id ?? null
  }
  if (product) {
    await stripe.products.update(product.id, { active: true })
    yield `Product ${name}: activated ${product.id}`
    return product.id
  }
  const created = await stripe.products.create({ name, metadata: { [metadataKeys.plan]: plan } })
  yield `Product ${name}: created ${created.id}`
  return created.id
}

interface ReplacedPrices {
  readonly productId: string | null
  readonly currentId: string
  readonly replaced: Stripe.Price | null
}

/** Deactivates the price that was replaced, and those that an interrupted setup has left active. */
async function* deactivateOthers(
  { stripe, isDryRun }: PriceSetup,
  { plan }: SoldPlan,
  { productId, currentId, replaced }: ReplacedPrices,
): AsyncGenerator<string> {
  if (productId === null) return
  const others: string[] = []
  for await (const price of stripe.prices.list({ product: productId, active: true, limit: pageSize })) {
    const isOld = price.id === replaced?.id || price.metadata[metadataKeys.plan] === plan
    if (isOld && price.id !== currentId) others.push(price.id)
  }
  for (const id of others) {
    if (!isDryRun) await stripe.prices.update(id, { active: false })
    yield `Price ${lookupKeys[plan]}: ${isDryRun ? 'would deactivate' : 'deactivated'} ${id}; running subscriptions keep it`
  }
}

const formatPrice = (cents: number): string => `$${(cents / 100).toFixed(2)} per month`
