import { licenceLimits } from '@sallyport/contract/limits'

/** A subscription as a provider describes it; times are epoch milliseconds. */
export interface SubscriptionSnapshot {
  /** As the provider calls it, such as `active`. An unknown status gives no plan. */
  readonly status: string
  /** Per month for one of the quantity. */
  readonly priceCents: number
  /** The seats; 1 for the personal plan. */
  readonly quantity: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly cancelsAtPeriodEnd: boolean
  readonly endedAt: number | null
  /** As the provider calls who pays; null where it has no customers. */
  readonly customerId: string | null
}

/** The licence of the personal plan, which follows from subscriptions when it is read. */
export interface SubscriptionLicence {
  readonly source: 'subscription'
  readonly type: 'personal'
  readonly storageBytes: number
  readonly expiresAt: number
}

const dayMs = 24 * 60 * 60 * 1000
/** A renewal may be charged or reported late. */
const renewalGraceMs = 3 * dayMs
/** How long an unpaid period counts, from its start: providers move the period on before it is paid. */
const unpaidGraceMs = 14 * dayMs

/** When the plan of a subscription ends; null if it gives none. */
export function planEndOf(subscription: SubscriptionSnapshot): number | null {
  const { status, periodStart, periodEnd, cancelsAtPeriodEnd, endedAt } = subscription
  switch (status) {
    case 'active':
    case 'trialing':
      return cancelsAtPeriodEnd ? periodEnd : periodEnd + renewalGraceMs
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return periodStart + unpaidGraceMs
    case 'canceled':
      return endedAt
    default:
      return null
  }
}

/** The licence that subscriptions to the personal plan give, until the last one of them ends. */
export function licencesOfSubscriptions(subscriptions: readonly SubscriptionSnapshot[]): SubscriptionLicence[] {
  const ends = subscriptions.map(planEndOf).filter((end) => end !== null)
  if (ends.length === 0) return []
  const { storageBytes } = licenceLimits.paid
  return [{ source: 'subscription', type: 'personal', storageBytes, expiresAt: Math.max(...ends) }]
}

/** Whether the current period has not been paid, so that the plan ends with the days of grace. */
export const isUnpaid = ({ status }: SubscriptionSnapshot): boolean => ['past_due', 'unpaid', 'paused'].includes(status)

/** Whether the plan of an unpaid subscription is over, although the provider has not ended it. */
export const isOverdue = (subscription: SubscriptionSnapshot, now: number): boolean =>
  isUnpaid(subscription) && (planEndOf(subscription) ?? now) <= now

/** Whether a subscription has not ended, so that another one would be paid twice. A cancelled one ends with its period. */
export const blocksPurchase = ({ status }: SubscriptionSnapshot): boolean =>
  ['active', 'trialing', 'past_due', 'unpaid', 'paused'].includes(status)

/** Returns the subscription that counts: one that has not ended, or else the first; null without any. */
export const currentSubscription = <Subscription extends SubscriptionSnapshot>(
  subscriptions: readonly Subscription[],
): Subscription | null => subscriptions.find(blocksPurchase) ?? subscriptions[0] ?? null
