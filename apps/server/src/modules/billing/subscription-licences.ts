import type { BillingStore } from './billing.store.ts'
import { licencesOfSubscriptions, type SubscriptionLicence } from './subscription.rules.ts'

/** Creates the function that finds the licences which the subscriptions of accounts give, by user id. */
export const subscriptionLicences =
  ({ subscriptionsOfAll }: Pick<BillingStore, 'subscriptionsOfAll'>) =>
  async (userIds: readonly string[]): Promise<ReadonlyMap<string, readonly SubscriptionLicence[]>> => {
    const subscriptions = await subscriptionsOfAll(userIds)
    return new Map([...subscriptions].map(([userId, of]) => [userId, licencesOfSubscriptions(of)]))
  }
