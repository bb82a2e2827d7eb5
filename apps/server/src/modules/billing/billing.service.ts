import { randomUUIDv7 } from 'node:crypto'
import { PaidPlan } from '@sallyport/contract/billing'
import { licenceLimits, organizationLimits } from '@sallyport/contract/limits'
import { parseOrganizationName } from '@sallyport/contract/organization-name'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { ApiError, apiError } from '../../errors.ts'
import type { BillingStore, StoredSubscription } from './billing.store.ts'
import { createBillingJob } from './billing-job.ts'
import type { BillingProvider } from './billing-provider.ts'
import { createCheckouts, type PaidOrganizations } from './checkouts.ts'
import { createPaymentReader } from './events/payment-reader.ts'
import type { StalePaymentsStore } from './events/stale-payments.store.ts'
import { createStalePayments } from './events/stale-payments.ts'
import { parseReturnPath } from './return-path.ts'
import type { SeatOrdersStore } from './seat-orders.store.ts'
import { createSeats, type SeatsInput } from './seats.ts'
import { createSubscriptions, type Subscriber } from './subscriptions.ts'

/** The organization of someone who buys, with the seats that it uses. */
interface BuyersOrganization {
  readonly id: string
  readonly role: string
  readonly usedSeats: number
}

interface ReturnInput {
  readonly userId: string
  readonly plan: PaidPlan | undefined
  readonly returnPath: string
}

interface BillingServiceDeps extends Pick<ServerContext, 'mutex' | 'rateLimiter' | 'publicUrl' | 'now' | 'onError'> {
  readonly store: BillingStore
  readonly orders: SeatOrdersStore
  readonly staleStore: StalePaymentsStore
  readonly provider: BillingProvider
  readonly organizations: PaidOrganizations & {
    findForBuyer(userId: string, now: number): Promise<BuyersOrganization | null>
  }
  /** Called when a subscription has changed. */
  readonly onChange: (subscriber: Subscriber) => Promise<void>
}

interface CheckoutInput {
  readonly userId: string
  /** The address of the account. */
  readonly email: string
  readonly customerEmail: string
  readonly successUrl: string
  readonly cancelUrl: string
}

/** Plans and their subscriptions. What is stored is what the provider says when it is asked. */
export function createBillingService(deps: BillingServiceDeps) {
  const { store, orders, staleStore, provider, organizations, mutex, rateLimiter, publicUrl, now, onChange } = deps
  /** One change of an account's plans at a time, on all nodes. The calls of an account wait in a queue of their own. */
  const lock = <Result>(userId: string, step: () => Promise<Result>, owner = userId) =>
    mutex.runExclusive(`billing|${userId}`, step, owner)
  const subscriptions = createSubscriptions({ store, provider, onChange, now })
  const checkouts = createCheckouts({ ...deps, subscriptions })
  const seats = createSeats({ orders, provider, subscriptions, now })
  const lockInBackground = <Result>(userId: string, step: () => Promise<Result>) => lock(userId, step, 'job')
  const stalePayments = createStalePayments({
    ...deps,
    store: staleStore,
    read: createPaymentReader({ store, provider, checkouts, subscriptions, lock: lockInBackground }),
  })
  const { paid, fewestSeats } = licenceLimits

  function readBuyer({ userId, email, customerEmail, successUrl, cancelUrl }: CheckoutInput) {
    if (customerEmail.trim().toLowerCase() !== email.toLowerCase()) throw apiError('CHECKOUT_MISMATCH')
    const successPath = parseReturnPath(successUrl, publicUrl)
    const cancelPath = parseReturnPath(cancelUrl, publicUrl)
    if (successPath === null || cancelPath === null) throw apiError('RETURN_URL_INVALID')
    return { userId, customerEmail: email, successPath, cancelPath }
  }

  function readOrganizationName(text: string): string {
    const parsed = parseOrganizationName(text)
    if ('name' in parsed) return parsed.name
    throw apiError(parsed.error === 'missing' ? 'ORGANIZATION_NAME_MISSING' : 'ORGANIZATION_NAME_INVALID')
  }

  /** The subscription of the account, read from the provider where something may have changed. */
  async function findCurrent(userId: string, plan?: PaidPlan): Promise<StoredSubscription | null> {
    await checkouts.applyOpen(userId)
    return subscriptions.refresh(userId, plan ?? (await subscriptions.planOf(userId)))
  }

  async function requireCurrent(userId: string, plan?: PaidPlan): Promise<StoredSubscription> {
    const found = await findCurrent(userId, plan)
    if (!found || found.endedAt !== null) throw apiError('NO_SUBSCRIPTION')
    return found
  }

  async function endOf(userId: string, { plan, periodEnd }: StoredSubscription): Promise<number> {
    return (await subscriptions.find(userId, plan))?.periodEnd ?? periodEnd
  }

  /** Ends those subscriptions that have not ended; a second time it changes nothing. */
  async function end(userId: string, all: readonly StoredSubscription[]): Promise<void> {
    for (const subscription of all) {
      if (subscription.endedAt === null) await subscriptions.cancelNow(userId, subscription)
    }
  }

  /** Nobody makes this server ask the provider so often that it stops answering others. */
  const limitCalls = (userId: string) =>
    rateLimiter.require(`payment-calls|${userId}`, rateLimits.paymentCallsPerAccount)

  /** What is stored, while the provider cannot be asked. */
  async function findStored(userId: string, plan: PaidPlan | undefined, error: unknown) {
    if (!(error instanceof ApiError) || !['PAYMENTS_AWAY', 'PAYMENTS_REFUSED', 'RATE_LIMITED'].includes(error.code))
      throw error
    return subscriptions.find(userId, plan ?? (await subscriptions.planOf(userId)))
  }

  return {
    /**
     * Starts a checkout of the personal plan, or returns the one that was started before. Throws CHECKOUT_MISMATCH,
     * RETURN_URL_INVALID, ALREADY_SUBSCRIBED or RATE_LIMITED.
     */
    async startCheckout(input: CheckoutInput) {
      const buyer = readBuyer(input)
      const order = { ...buyer, plan: 'personal' as const, priceCents: paid.personalCents, quantity: 1 }
      await limitCalls(input.userId)
      return lock(input.userId, () => checkouts.start({ ...order, organization: null }))
    },
    /**
     * The same for the seats of an organization. Throws ORGANIZATION_NAME_MISSING, ORGANIZATION_NAME_INVALID,
     * QUANTITY_INVALID or ALREADY_IN_ORGANIZATION as well.
     */
    async startBusinessCheckout(
      input: CheckoutInput & { readonly organizationName: string; readonly quantity: number },
    ) {
      const { userId, quantity } = input
      const buyer = readBuyer(input)
      const name = readOrganizationName(input.organizationName)
      await limitCalls(userId)
      return lock(userId, async () => {
        const own = await organizations.findForBuyer(userId, now())
        const fewest = Math.max(fewestSeats, own?.role === 'owner' ? own.usedSeats : 0)
        const most = organizationLimits.seats
        if (!Number.isSafeInteger(quantity) || quantity < fewest || quantity > most)
          throw apiError('QUANTITY_INVALID', { text: `Choose between ${fewest} and ${most} seats` })
        if (own && own.role !== 'owner') throw apiError('ALREADY_IN_ORGANIZATION')
        const organization = { id: own?.id ?? randomUUIDv7(), name }
        return checkouts.start({ ...buyer, plan: 'business', priceCents: paid.seatCents, quantity, organization })
      })
    },
    /**
     * The subscription of the account: to this plan, or else the one that counts. While the provider is away, as it was
     * read last.
     */
    subscriptionOf: (userId: string, plan?: PaidPlan): Promise<StoredSubscription | null> =>
      lock(userId, () =>
        limitCalls(userId)
          .then(() => findCurrent(userId, plan))
          .catch((error: unknown) => findStored(userId, plan, error)),
      ),
    /**
     * The URL of the provider's page with the payment method and the invoices. Throws NO_SUBSCRIPTION, NO_PAYMENT_PAGE or
     * RETURN_URL_INVALID.
     */
    async portalUrl({ userId, plan, returnPath }: ReturnInput): Promise<string> {
      const path = parseReturnPath(returnPath, publicUrl)
      if (path === null) throw apiError('RETURN_URL_INVALID')
      const found = await subscriptions.find(userId, plan ?? (await subscriptions.planOf(userId)))
      if (!found) throw apiError('NO_SUBSCRIPTION')
      const { customerId } = found
      await limitCalls(userId)
      const url = customerId && (await provider.createPortalUrl(customerId, new URL(path, publicUrl).href))
      if (!url) throw apiError('NO_PAYMENT_PAGE')
      return url
    },
    /** Reads everything of the account from the provider and stores it. */
    sync: (userId: string): Promise<void> =>
      lock(userId, async () => {
        await checkouts.applyOpen(userId)
        for (const plan of PaidPlan.options)
          for (const { providerId, organizationId } of await store.subscriptionsOf(userId, plan))
            await subscriptions.apply({ userId, plan, organizationId }, providerId)
      }),
    /** Cancels at the end of the paid period and returns that time. Throws NO_SUBSCRIPTION. */
    cancel: (userId: string, plan?: PaidPlan): Promise<number> =>
      lock(userId, async () => {
        await limitCalls(userId)
        const found = await requireCurrent(userId, plan)
        await subscriptions.cancelAtPeriodEnd(userId, found)
        return endOf(userId, found)
      }),
    /** Moves the end of the paid period of the personal plan by days and returns it. Throws NO_SUBSCRIPTION. */
    extend: (userId: string, days: number): Promise<number> =>
      lock(userId, async () => {
        const found = await requireCurrent(userId, 'personal')
        await provider.extend(found.providerId, days)
        await subscriptions.apply({ userId, plan: found.plan, organizationId: null }, found.providerId)
        return endOf(userId, found)
      }),
    /** What more seats cost. Throws NO_SUBSCRIPTION or QUANTITY_INVALID. */
    async previewSeats(input: SeatsInput) {
      await limitCalls(input.userId)
      return lock(input.userId, () => seats.preview(input))
    },
    /** Buys more seats. Throws NO_SUBSCRIPTION, QUANTITY_INVALID or PAYMENT_DECLINED, and then nothing has changed. */
    addSeats: (input: SeatsInput & { readonly requestKey: string | null }) =>
      lock(input.userId, () => seats.add(input)),
    /** Ends what is paid for an organization at once; a second time it changes nothing. */
    endOrganization: ({ userId, organizationId }: { readonly userId: string; readonly organizationId: string }) =>
      lock(userId, async () => {
        await end(userId, (await store.subscriptionsOfOrganizations([organizationId])).get(organizationId) ?? [])
      }),
    /** Ends all that an account pays for or could still pay for; a second time it changes nothing. */
    endAll: (userId: string): Promise<void> =>
      lock(userId, async () => {
        await checkouts.expireOpen(userId)
        for (const plan of PaidPlan.options) await end(userId, await store.subscriptionsOf(userId, plan))
      }),
    /** Applies a payment that the provider has reported. */
    async applyPayment(providerId: string): Promise<void> {
      const checkout = await store.findCheckout(providerId)
      if (checkout) await lock(checkout.user_id, () => checkouts.apply(checkout))
    },
    /** A checkout of an account that exists, or null. */
    findCheckout: store.findCheckout,
    stalePayments,
    job: createBillingJob({
      ...deps,
      stalePayments,
      lock: lockInBackground,
      finishInterrupted: seats.finishInterrupted,
    }),
  }
}

export type BillingService = ReturnType<typeof createBillingService>
