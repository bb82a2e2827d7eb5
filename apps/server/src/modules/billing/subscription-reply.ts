import { SubscriptionStatus } from '@sallyport/contract/billing'
import type { SubscriptionSnapshot } from './subscription.rules.ts'

/** The subscription as clients see it. */
export function toSubscriptionReply(subscription: SubscriptionSnapshot | null) {
  if (!subscription)
    return {
      plan: null,
      status: 'none' as const,
      price_cents: null,
      seats: null,
      cancel_at_period_end: false,
      current_period_end: null,
    }
  const { status, priceCents, cancelsAtPeriodEnd, periodEnd } = subscription
  return {
    plan: 'personal' as const,
    seats: null,
    status: shownStatus(status),
    price_cents: priceCents,
    cancel_at_period_end: cancelsAtPeriodEnd,
    current_period_end: Math.floor(periodEnd / 1000),
  }
}

/** Providers have more statuses than clients need to know. */
function shownStatus(status: string): SubscriptionStatus {
  if (status === 'trialing') return 'active'
  if (status === 'unpaid' || status === 'paused') return 'past_due'
  return SubscriptionStatus.safeParse(status).data ?? 'none'
}
