import { randomUUIDv7 } from 'node:crypto'
import type { PaidPlan } from '@sallyport/contract/billing'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import type { BillingStore, StoredCheckout } from './billing.store.ts'
import type { BillingProvider } from './billing-provider.ts'
import { blocksPurchase } from './subscription.rules.ts'
import type { Subscriber, Subscriptions } from './subscriptions.ts'

/** The organizations, as far as a payment creates them. */
export interface PaidOrganizations {
  /** Returns the organization that the user owns, and creates one with this id and name if they own none. */
  ensureOwned(input: {
    readonly userId: string
    readonly id: string
    readonly name: string
    readonly now: number
  }): Promise<string>
}

interface CheckoutsDeps extends Pick<ServerContext, 'rateLimiter' | 'publicUrl' | 'now' | 'onError'> {
  readonly store: BillingStore
  readonly provider: BillingProvider
  readonly subscriptions: Subscriptions
  readonly organizations: PaidOrganizations
}

/** What is bought, and where the browser goes then. */
export interface Order {
  readonly userId: string
  readonly customerEmail: string
  readonly plan: PaidPlan
  /** For one of the quantity. */
  readonly priceCents: number
  readonly quantity: number
  /** Null for the personal plan. */
  readonly organization: { readonly id: string; readonly name: string } | null
  readonly successPath: string
  readonly cancelPath: string
}

/** A checkout that is offered again must leave enough time to pay. */
const reuseMs = 30 * 60 * 1000

/** Checkouts at the provider: started, offered again, and turned into subscriptions once they are paid. */
export function createCheckouts(deps: CheckoutsDeps) {
  const { store, provider, subscriptions, organizations, rateLimiter, publicUrl, now, onError } = deps

  /** The organization of a paid checkout exists from here on. */
  async function subscriberOf({ user_id: userId, organization_id, organization_name }: StoredCheckout) {
    if (organization_id === null) return { userId, plan: 'personal', organizationId: null } satisfies Subscriber
    const organization = { userId, id: organization_id, name: organization_name ?? '', now: now() }
    const organizationId = await organizations.ensureOwned(organization)
    return { userId, plan: 'business', organizationId } satisfies Subscriber
  }

  /** Someone who has bought seats has no use for the personal plan after the month that they paid for. */
  async function endPersonalPlan(userId: string): Promise<void> {
    const personal = await subscriptions.refresh(userId, 'personal')
    if (personal && blocksPurchase(personal) && !personal.cancelsAtPeriodEnd)
      await subscriptions.cancelAtPeriodEnd(userId, personal)
  }

  /** Only one checkout of a plan can be paid. Should two be all the same, nobody pays for both of them twice. */
  async function endSecond({ userId, plan }: Subscriber, subscriptionId: string): Promise<void> {
    const running = await subscriptions.running(userId, plan)
    const second = running.find(({ providerId }) => providerId === subscriptionId)
    if (!second || running.length === 1) return
    await subscriptions.cancelNow(userId, second)
    onError(new Error(`The subscription ${subscriptionId} was a second one and has been ended: refund it`))
  }

  /** Every step can be repeated: an interrupted run is, because the checkout counts as open until the last one. */
  async function apply(checkout: StoredCheckout): Promise<void> {
    const { state, subscriptionId } = await provider.getCheckout(checkout.provider_id)
    if (subscriptionId !== null) {
      const subscriber = await subscriberOf(checkout)
      await subscriptions.apply(subscriber, subscriptionId)
      await endSecond(subscriber, subscriptionId)
      if (subscriber.plan === 'business') await endPersonalPlan(subscriber.userId)
    }
    if (state !== 'open') await store.setCheckoutState(checkout.id, state)
  }

  async function applyOpen(userId: string): Promise<void> {
    for (const checkout of await store.openCheckoutsOf(userId)) await apply(checkout)
  }

  /** Makes a checkout unpayable, and applies it if it was paid before. */
  async function expire(checkout: StoredCheckout): Promise<void> {
    await provider.expireCheckout(checkout.provider_id)
    await apply(checkout)
  }

  async function create(order: Order): Promise<StoredCheckout> {
    const { userId, customerEmail, plan, priceCents, quantity, organization, successPath, cancelPath } = order
    await rateLimiter.require(`checkouts|${userId}`, rateLimits.checkoutsPerAccount)
    const id = randomUUIDv7()
    const former = await subscriptions.find(userId, plan)
    const created = await provider.createCheckout({
      id,
      plan,
      priceCents,
      quantity,
      customerEmail,
      customerId: former?.customerId ?? null,
      successUrl: new URL(successPath, publicUrl).href,
      cancelUrl: new URL(cancelPath, publicUrl).href,
    })
    const checkout = {
      id,
      user_id: userId,
      plan,
      quantity,
      organization_id: organization?.id ?? null,
      organization_name: organization?.name ?? null,
      provider_id: created.providerId,
      url: created.url,
      state: 'open',
      success_path: successPath,
      cancel_path: cancelPath,
      created_at: now(),
      expires_at: created.expiresAt,
    }
    await store.addCheckout(checkout)
    return checkout
  }

  /** Returns an open checkout of the same order, and expires all others: only one can be paid. */
  async function reuse(order: Order): Promise<StoredCheckout | null> {
    const open = await store.openCheckoutsOf(order.userId)
    const reusable = open.find((checkout) => isFor(checkout, order) && checkout.expires_at > now() + reuseMs)
    for (const checkout of open) {
      if (checkout === reusable) continue
      await expire(checkout)
    }
    return reusable ?? null
  }

  async function requireNoPlan(userId: string, plan: PaidPlan): Promise<void> {
    await applyOpen(userId)
    await subscriptions.endOverdue(userId, plan)
    const subscription = await subscriptions.refresh(userId, plan)
    if (subscription && blocksPurchase(subscription)) throw apiError('ALREADY_SUBSCRIBED')
  }

  return {
    apply,
    applyOpen,
    async expireOpen(userId: string): Promise<void> {
      for (const checkout of await store.openCheckoutsOf(userId)) await expire(checkout)
    },
    /** Starts a checkout, or returns the one that was started before. Throws ALREADY_SUBSCRIBED or RATE_LIMITED. */
    async start(order: Order): Promise<StoredCheckout> {
      await requireNoPlan(order.userId, order.plan)
      const reused = await reuse(order)
      // A payment may have come in before the other checkouts were expired.
      await requireNoPlan(order.userId, order.plan)
      return reused ?? create(order)
    },
  }
}

export type Checkouts = ReturnType<typeof createCheckouts>

const isFor = (checkout: StoredCheckout, order: Order): boolean =>
  checkout.plan === order.plan &&
  checkout.quantity === order.quantity &&
  checkout.organization_name === (order.organization?.name ?? null) &&
  checkout.success_path === order.successPath &&
  checkout.cancel_path === order.cancelPath
