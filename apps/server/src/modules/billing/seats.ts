import { randomUUIDv7 } from 'node:crypto'
import { organizationLimits } from '@sallyport/contract/limits'
import type { ServerContext } from '../../context.ts'
import { ApiError, apiError } from '../../errors.ts'
import type { StoredSubscription } from './billing.store.ts'
import type { BillingProvider, SeatsOutcome } from './billing-provider.ts'
import type { SeatOrder, SeatOrdersStore } from './seat-orders.store.ts'
import { blocksPurchase, isUnpaid } from './subscription.rules.ts'
import type { Subscriptions } from './subscriptions.ts'

interface SeatsDeps extends Pick<ServerContext, 'now'> {
  readonly orders: SeatOrdersStore
  readonly provider: Pick<BillingProvider, 'previewSeats' | 'setSeats' | 'getSubscription'>
  readonly subscriptions: Subscriptions
}

/** How long an order is repeated that the provider does not answer: nobody expects to be charged for it later. */
const giveUpMs = 10 * 60 * 1000

export interface SeatsInput {
  /** The owner of the organization. */
  readonly userId: string
  readonly additionalSeats: number
}

/**
 * More seats for a running subscription. An order is stored before the provider is asked, whose answer to the same order
 * is always the same; so an interrupted one is repeated, and charged once. The caller holds the lock of the owner.
 */
export function createSeats({ orders, provider, subscriptions, now }: SeatsDeps) {
  async function requireSubscription(userId: string): Promise<StoredSubscription> {
    const stored = await subscriptions.refresh(userId, 'business')
    if (!stored || !blocksPurchase(stored)) throw apiError('NO_SUBSCRIPTION')
    // Seats that the bank asked about may be there by now.
    await subscriptions.apply({ userId, plan: 'business', organizationId: stored.organizationId }, stored.providerId)
    const found = await subscriptions.find(userId, 'business')
    if (!found || !blocksPurchase(found)) throw apiError('NO_SUBSCRIPTION')
    if (isUnpaid(found))
      throw apiError('PAYMENT_DECLINED', { text: 'The last payment failed. Pay it before you add seats.' })
    return found
  }

  function requireInRange({ quantity }: StoredSubscription, additionalSeats: number): void {
    const most = Math.min(organizationLimits.addedSeats, organizationLimits.seats - quantity)
    if (Number.isSafeInteger(additionalSeats) && additionalSeats >= 1 && additionalSeats <= most) return
    const text = most < 1 ? 'There is no room for more seats' : `Choose between 1 and ${most} seats`
    throw apiError('QUANTITY_INVALID', { text })
  }

  /** An order that was not answered for long is no longer sent, and neither is one that was rejected: it is looked up. */
  async function order({
    id,
    subscription_id,
    to_quantity,
    prorated_at,
    created_at,
  }: SeatOrder): Promise<SeatsOutcome> {
    const isOld = created_at <= now() - giveUpMs
    try {
      if (!isOld)
        return await provider.setSeats(subscription_id, { quantity: to_quantity, orderId: id, proratedAt: prorated_at })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PAYMENTS_AWAY') throw error
    }
    const subscription = await provider.getSubscription(subscription_id)
    return subscription && subscription.quantity >= to_quantity ? 'done' : 'declined'
  }

  /** Carries out an order to its end; while the provider is away, it stays pending. */
  async function carryOut(userId: string, pending: SeatOrder): Promise<SeatsOutcome> {
    const outcome = await order(pending)
    if (outcome === 'done') {
      const { organizationId } = (await subscriptions.find(userId, 'business')) ?? { organizationId: null }
      await subscriptions.apply({ userId, plan: 'business', organizationId }, pending.subscription_id)
    }
    await orders.setState(pending.id, typeof outcome === 'object' ? 'unconfirmed' : outcome)
    return outcome
  }

  async function finishInterrupted(userId: string): Promise<void> {
    const subscription = await subscriptions.find(userId, 'business')
    if (!subscription) return
    for (const order of await orders.pendingOf(subscription.providerId)) await carryOut(userId, order)
  }

  /** The order that this request repeats: the one with its key, or one of another tab a moment ago. */
  async function findRepeated({ providerId }: StoredSubscription, additionalSeats: number, requestKey: string) {
    const own = await orders.find(providerId, requestKey)
    if (own) return own
    const since = now() - organizationLimits.sameOrderMs
    const recent = await orders.findRecent({ subscriptionId: providerId, additionalSeats, since })
    // Later repeats of this request find it by their key.
    if (recent) await orders.add({ ...recent, id: randomUUIDv7(), request_key: requestKey })
    return recent
  }

  async function createOrder(subscription: StoredSubscription, additionalSeats: number, requestKey: string) {
    const { providerId, quantity } = subscription
    const { nowCents, proratedAt } = await provider.previewSeats(providerId, quantity + additionalSeats)
    const order: SeatOrder = {
      id: randomUUIDv7(),
      subscription_id: providerId,
      request_key: requestKey,
      from_quantity: quantity,
      to_quantity: quantity + additionalSeats,
      charged_cents: nowCents,
      prorated_at: proratedAt,
      state: 'pending',
      created_at: now(),
    }
    await orders.add(order)
    return order
  }

  return {
    finishInterrupted,
    interruptedOwners: orders.interruptedOwners,
    /** Throws NO_SUBSCRIPTION or QUANTITY_INVALID. */
    async preview(input: SeatsInput) {
      const subscription = await requireSubscription(input.userId)
      requireInRange(subscription, input.additionalSeats)
      const { providerId, quantity, priceCents } = subscription
      const totalSeats = quantity + input.additionalSeats
      const { nowCents } = await provider.previewSeats(providerId, totalSeats)
      return { nowCents, monthlyCents: totalSeats * priceCents, totalSeats }
    },
    /**
     * Throws NO_SUBSCRIPTION, QUANTITY_INVALID, CONFLICT, PAYMENT_DECLINED or PAYMENT_UNCONFIRMED, and then nothing has
     * changed; the last one as long as the buyer has not confirmed the payment.
     */
    async add({ requestKey, ...input }: SeatsInput & { readonly requestKey: string | null }) {
      await finishInterrupted(input.userId)
      const key = requestKey ?? randomUUIDv7()
      const subscription = await requireSubscription(input.userId)
      const { additionalSeats } = input
      const isCount =
        Number.isSafeInteger(additionalSeats) && Math.abs(additionalSeats) <= organizationLimits.addedSeats
      const repeated = isCount ? await findRepeated(subscription, input.additionalSeats, key) : null
      const isAnother = repeated !== null && repeated.to_quantity - repeated.from_quantity !== input.additionalSeats
      if (isAnother) throw apiError('CONFLICT', { text: 'This request was already made for another number of seats' })
      // A repeated order is within the range that it has used up.
      if (!repeated) requireInRange(subscription, input.additionalSeats)
      const order = repeated ?? (await createOrder(subscription, input.additionalSeats, key))
      const outcome = repeated ? repeated.state : await carryOut(input.userId, order)
      if (typeof outcome === 'object') throw apiError('PAYMENT_UNCONFIRMED', { details: { pay_url: outcome.payUrl } })
      if (outcome !== 'done') throw apiError('PAYMENT_DECLINED')
      return { totalSeats: order.to_quantity, chargedCents: order.charged_cents }
    },
  }
}
