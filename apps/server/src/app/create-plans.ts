import type { ServerContext } from '../context.ts'
import type { SourcedLicence } from '../modules/accounts/licences/licence.rules.ts'
import { announceLicence } from '../modules/accounts/licences/licences.ts'
import { createBillingService } from '../modules/billing/billing.service.ts'
import { createBillingStore } from '../modules/billing/billing.store.ts'
import type { BillingMode } from '../modules/billing/billing-mode.ts'
import type { ReportingProvider } from '../modules/billing/billing-provider.ts'
import { createStalePaymentsStore } from '../modules/billing/events/stale-payments.store.ts'
import { createSeatOrdersStore } from '../modules/billing/seat-orders.store.ts'
import { instanceIdOf } from '../modules/billing/stripe/instance-id.ts'
import { openStripe } from '../modules/billing/stripe/open-stripe.ts'
import { subscriptionLicences } from '../modules/billing/subscription-licences.ts'
import type { Subscriber } from '../modules/billing/subscriptions.ts'
import { createTestBillingStore } from '../modules/billing/test-provider/test-billing.store.ts'
import { createTestProvider } from '../modules/billing/test-provider/test-provider.ts'
import { createMembersStore } from '../modules/organizations/members.store.ts'
import { createMembershipsStore } from '../modules/organizations/memberships.store.ts'
import { createOrganizationsService } from '../modules/organizations/organizations.service.ts'
import { createOwnedOrganizationsStore } from '../modules/organizations/owned-organizations.store.ts'
import { createOwnershipStore } from '../modules/organizations/ownership.store.ts'
import { createSeatLicences } from '../modules/organizations/seat-licences.ts'
import { createSeatSources } from '../modules/organizations/seat-sources.ts'

type PlansContext = Pick<
  ServerContext,
  'config' | 'version' | 'db' | 'bus' | 'publishToAccount' | 'mutex' | 'rateLimiter' | 'publicUrl' | 'now' | 'onError'
> & {
  readonly secrets: Pick<ServerContext['secrets'], 'salt'>
}

/** Creates what sells plans, the organizations that seats belong to, and the licences that follow from both. */
export async function createPlans(context: PlansContext, mode: BillingMode) {
  const { db, publishToAccount } = context
  const billingStore = createBillingStore(db)
  const memberships = createMembershipsStore(db)
  const members = createMembersStore(db)
  const owned = createOwnedOrganizationsStore(db)
  const findSeatSources = createSeatSources({ memberships, billingStore })

  async function onChange({ userId, organizationId }: Subscriber): Promise<void> {
    if (organizationId === null) return announceLicence(context, userId)
    for (const memberId of await owned.memberIds(organizationId)) {
      announceLicence(context, memberId)
      publishToAccount(memberId, { type: 'organization.changed' })
    }
  }

  const testProvider = mode === 'test' ? createTestProvider({ ...context, store: createTestBillingStore(db) }) : null
  const stripe = mode === 'stripe' ? await openConfiguredStripe(context) : null
  const provider = testProvider ?? stripe
  const stalePaymentsStore = createStalePaymentsStore(db)
  const billing =
    provider &&
    createBillingService({
      ...context,
      store: billingStore,
      orders: createSeatOrdersStore(db),
      staleStore: stalePaymentsStore,
      provider,
      organizations: owned,
      onChange,
    })
  const personalLicences = subscriptionLicences(billingStore)
  const seatLicences = createSeatLicences({ memberships, findSeatSources })
  const organizations = createOrganizationsService({
    ...context,
    memberships,
    members,
    owned,
    ownership: createOwnershipStore(db),
    findSeatSources,
    billing,
  })

  return {
    billingStore,
    stalePaymentsStore,
    memberships,
    members,
    /** Null unless plans are bought on the test page. */
    testProvider,
    /** Null unless plans are paid at Stripe. */
    stripe,
    /** Null where plans are not sold. */
    billing,
    organizations,
    /** Ends what a user who is deleted next belongs to and pays for. A second time it changes nothing. */
    async beforeRemoval(userId: string): Promise<void> {
      await organizations.endMembership(userId)
      await billing?.endAll(userId)
    },
    /** The licences of these accounts that are not stored, by user id. */
    async derivedLicences(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly SourcedLicence[]>> {
      const [personal, seats] = await Promise.all([personalLicences(userIds), seatLicences(userIds)])
      return new Map(userIds.map((userId) => [userId, [...(personal.get(userId) ?? []), ...(seats.get(userId) ?? [])]]))
    },
  }
}

/** Stripe is loaded only where it takes the payments: its library costs memory and time at the start. */
async function openConfiguredStripe({ config, version, secrets, now }: PlansContext): Promise<ReportingProvider> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets, STRIPE_URL: url } = config
  if (secretKey === undefined) throw new Error('STRIPE_SECRET_KEY is not set')
  return openStripe({ secretKey, webhookSecrets, url, instanceId: instanceIdOf(secrets.salt), version, now })
}

type CreatedPlans = Pick<Awaited<ReturnType<typeof createPlans>>, 'billingStore' | 'stripe'>

/** Throws if people still pay at Stripe and this server could no longer cancel it for them. */
export async function requireBillingProvider({ billingStore, stripe }: CreatedPlans): Promise<void> {
  const count = stripe === null ? await billingStore.countRunningAtStripe() : 0
  if (count === 0) return
  throw new Error(
    `${count === 1 ? 'A subscription is' : `${count} subscriptions are`} still paid at Stripe, and without BILLING=stripe nobody could cancel. Set it again, cancel the subscriptions in the Stripe Dashboard, and wait until this server has read that`,
  )
}
