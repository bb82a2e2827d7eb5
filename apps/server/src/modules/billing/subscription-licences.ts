import type { BillingStore } from './billing.store.ts'
import { licencesOfSubscriptions, type SubscriptionLicence } from './subscription.rules.ts'

/** Creates the function that finds the licences which the personal plans of accounts give, by user id. */
export const subscriptionLicences =
  ({ personalSubscriptionsOf }: Pick<BillingStore, 'personalSubscriptionsOf'>) =>
  async (userIds: readonly string[]): Promise<ReadonlyMap<string, readonly SubscriptionLicence[]>> => {
    const subscriptions = await personalSubscriptionsOf(userIds)
    return new Map([...subscriptions].map(([userId, of]) => [userId, licencesOfSubscriptions(of)]))
  }
