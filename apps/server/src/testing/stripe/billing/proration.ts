import type { Stripe } from 'stripe'
import { invalidRequest } from '../http/stripe-error.ts'
import type { InvoiceLine, StoredPrice, StoredSubscription } from '../state/state.ts'

/** New quantities by the id of their item. */
export type Quantities = ReadonlyMap<string, number>

/** The first item, whose period counts for the subscription. */
export function firstItem(subscription: StoredSubscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`The subscription ${subscription.id} has no items`)
  return item
}

/** The price of an item, which was checked when the subscription was created. */
export const priceOf = ({ price }: Stripe.SubscriptionItem): StoredPrice => price as StoredPrice

/** Throws 400 unless a date of proration is in the current period. */
export function checkProrationDate(subscription: StoredSubscription, date: number, param: string): void {
  const { current_period_start, current_period_end } = firstItem(subscription)
  if (date < current_period_start || date > current_period_end)
    throw invalidRequest('Cannot specify a proration date outside of the current subscription period.', param)
}

/** The lines that credit the old and charge the new quantities for the rest of the period. A trial costs nothing. */
export function prorate(subscription: StoredSubscription, quantities: Quantities, at: number): InvoiceLine[] {
  return subscription.items.data.flatMap((item) => {
    const { id, quantity = 1, current_period_start: start, current_period_end: end } = item
    const newQuantity = quantities.get(id) ?? quantity
    if (newQuantity === quantity) return []
    const price = priceOf(item)
    const isFree = subscription.status === 'trialing'
    const amountFor = (count: number): number =>
      isFree ? 0 : roundedShare(price.unit_amount * count, end - at, end - start)
    const shared = { itemId: id, price, isProration: true, period: { start: at, end } }
    return [
      { ...shared, amount: 0 - amountFor(quantity), quantity, description: `Unused time on ${quantity}` },
      {
        ...shared,
        amount: amountFor(newQuantity),
        quantity: newQuantity,
        description: `Remaining time on ${newQuantity}`,
      },
    ]
  })
}

/** `cents × part ÷ whole`, rounded half up. */
const roundedShare = (cents: number, part: number, whole: number): number =>
  Math.floor((2 * cents * part + whole) / (2 * whole))

/** The lines of a whole period. */
export const periodLines = (
  subscription: StoredSubscription,
  period: { readonly start: number; readonly end: number },
  quantities: Quantities = new Map(),
): InvoiceLine[] =>
  subscription.items.data.map((item) => {
    const quantity = quantities.get(item.id) ?? item.quantity ?? 1
    const price = priceOf(item)
    return {
      itemId: item.id,
      price,
      isProration: false,
      amount: price.unit_amount * quantity,
      quantity,
      description: `${quantity} × ${price.nickname ?? price.lookup_key ?? price.id}`,
      period,
    }
  })
