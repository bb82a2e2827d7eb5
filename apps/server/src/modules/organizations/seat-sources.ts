import type { BillingStore, StoredSubscription } from '../billing/billing.store.ts'
import { currentSubscription, planEndOf } from '../billing/subscription.rules.ts'
import type { MembershipsStore } from './memberships.store.ts'
import type { SeatSources, SeatSubscription } from './seats.rules.ts'

interface SeatSourcesDeps {
  readonly memberships: Pick<MembershipsStore, 'grantsOf'>
  readonly billingStore: Pick<BillingStore, 'subscriptionsOfOrganizations'>
}

interface OwnedOrganization {
  readonly id: string
  readonly ownerId: string
}

/** Creates the function that finds what gives organizations their seats, by organization id. */
export const createSeatSources =
  ({ memberships, billingStore }: SeatSourcesDeps) =>
  async (organizations: readonly OwnedOrganization[]): Promise<ReadonlyMap<string, SeatSources>> => {
    const [subscriptions, grants] = await Promise.all([
      billingStore.subscriptionsOfOrganizations(organizations.map(({ id }) => id)),
      memberships.grantsOf(organizations.map(({ ownerId }) => ownerId)),
    ])
    return new Map(
      organizations.map(({ id, ownerId }) => {
        const subscription = currentSubscription(subscriptions.get(id) ?? [])
        return [id, { subscription: subscription && toSeats(subscription), grants: grants.get(ownerId) ?? [] }]
      }),
    )
  }

export type FindSeatSources = ReturnType<typeof createSeatSources>

const toSeats = (subscription: StoredSubscription): SeatSubscription => ({
  quantity: subscription.quantity,
  priceCents: subscription.priceCents,
  cancelsAtPeriodEnd: subscription.cancelsAtPeriodEnd,
  isOverdue: ['past_due', 'unpaid', 'paused'].includes(subscription.status),
  periodEnd: subscription.periodEnd,
  planEnd: planEndOf(subscription),
})
