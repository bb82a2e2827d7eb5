import { SubscriptionStatus } from '@sallyport/contract/billing'
import type { StoredSubscription } from './billing.store.ts'
import { isUnpaid, planEndOf } from './subscription.rules.ts'

/** The subscription as clients see it. */
export function toSubscriptionReply(subscription: StoredSubscription | null) {
  if (!subscription)
    return {
      plan: null,
      status: 'none' as const,
      price_cents: null,
      seats: null,
      cancel_at_period_end: false,
      current_period_end: null,
      keep_until: null,
      has_payment_page: false,
    }
  const { plan, status, priceCents, quantity, cancelsAtPeriodEnd, periodEnd, customerId } = subscription
  return {
    plan,
    status: shownStatus(status),
    price_cents: priceCents * quantity,
    seats: plan === 'business' ? quantity : null,
    cancel_at_period_end: cancelsAtPeriodEnd,
    current_period_end: Math.floor(periodEnd / 1000),
    keep_until: isUnpaid(subscription) ? toSeconds(planEndOf(subscription)) : null,
    has_payment_page: customerId !== null,
  }
}

const toSeconds = (time: number | null): number | null => time && Math.floor(time / 1000)

/** Providers have more statuses than clients need to know. */
function shownStatus(status: string): SubscriptionStatus {
  if (status === 'trialing') return 'active'
  if (status === 'unpaid' || status === 'paused') return 'past_due'
  return SubscriptionStatus.safeParse(status).data ?? 'none'
}
