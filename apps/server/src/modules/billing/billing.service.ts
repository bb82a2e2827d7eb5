import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { rateLimits, sweepLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import type { Job } from '../../jobs.ts'
import type { BillingStore, StoredCheckout, StoredSubscription } from './billing.store.ts'
import type { BillingProvider } from './billing-provider.ts'
import { parseReturnPath } from './return-path.ts'
import { blocksPurchase, currentSubscription } from './subscription.rules.ts'

interface BillingServiceDeps extends Pick<ServerContext, 'mutex' | 'rateLimiter' | 'publicUrl' | 'now' | 'onError'> {
  readonly store: BillingStore
  readonly provider: BillingProvider
  readonly priceCents: number
  /** Called when the plan of an account may have changed. */
  readonly onLicenceChange: (userId: string) => void
}

interface CheckoutInput {
  readonly userId: string
  /** The address of the account. */
  readonly email: string
  readonly customerEmail: string
  readonly successUrl: string
  readonly cancelUrl: string
}

interface Buyer {
  readonly userId: string
  readonly customerEmail: string
  readonly successPath: string
  readonly cancelPath: string
}

/** A checkout that is offered again must leave enough time to pay. */
const reuseMs = 30 * 60 * 1000
/** How long checkouts that are over are stored. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/**
 * Sells the personal plan. What is stored is what the provider says when it is asked: after a payment, when it is read,
 * and in the background.
 */
export function createBillingService(deps: BillingServiceDeps) {
  const { store, provider, priceCents, mutex, rateLimiter, publicUrl, now, onError, onLicenceChange } = deps
  /** One change of an account's plan at a time, on all nodes. The calls of an account wait in a queue of their own. */
  const lock = <Result>(userId: string, step: () => Promise<Result>, owner = userId) =>
    mutex.runExclusive(`billing|${userId}`, step, owner)

  async function applySubscription(userId: string, providerId: string): Promise<void> {
    const askedAt = now()
    const described = await provider.getSubscription(providerId)
    const subscription = { providerId, plan: 'personal' as const, organizationId: null, ...described }
    const stored = (await store.subscriptionsOf(userId, 'personal')).find((one) => one.providerId === providerId)
    await store.upsertSubscription({ userId, subscription, now: askedAt })
    if (!isDeepStrictEqual(stored, subscription)) onLicenceChange(userId)
  }

  async function applyCheckout({ id, user_id: userId, provider_id }: StoredCheckout): Promise<void> {
    const { state, subscriptionId } = await provider.getCheckout(provider_id)
    if (subscriptionId !== null) await applySubscription(userId, subscriptionId)
    // After the subscription is stored: an interrupted run is repeated.
    if (state !== 'open') await store.setCheckoutState(id, state)
  }

  async function applyOpenCheckouts(userId: string): Promise<void> {
    for (const checkout of await store.openCheckoutsOf(userId)) await applyCheckout(checkout)
  }

  const findSubscription = async (userId: string): Promise<StoredSubscription | null> =>
    currentSubscription(await store.subscriptionsOf(userId, 'personal'))

  /** The same, read from the provider where something may have changed. */
  async function refreshSubscription(userId: string): Promise<StoredSubscription | null> {
    await applyOpenCheckouts(userId)
    const found = await findSubscription(userId)
    if (!found || found.endedAt !== null || found.periodEnd > now()) return found
    await applySubscription(userId, found.providerId)
    return findSubscription(userId)
  }

  async function createCheckout({ userId, customerEmail, successPath, cancelPath }: Buyer): Promise<StoredCheckout> {
    await rateLimiter.require(`checkouts|${userId}`, rateLimits.checkoutsPerAccount)
    const created = await provider.createCheckout({
      priceCents,
      customerEmail,
      successUrl: new URL(successPath, publicUrl).href,
      cancelUrl: new URL(cancelPath, publicUrl).href,
    })
    const checkout = {
      id: randomUUIDv7(),
      user_id: userId,
      plan: 'personal',
      quantity: 1,
      organization_id: null,
      organization_name: null,
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

  /** Returns an open checkout that leads back to the same pages, and expires all others: only one can be paid. */
  async function reuseCheckout({ userId, successPath, cancelPath }: Buyer): Promise<StoredCheckout | null> {
    const open = await store.openCheckoutsOf(userId)
    const reusable = open.find(
      (checkout) =>
        checkout.success_path === successPath &&
        checkout.cancel_path === cancelPath &&
        checkout.expires_at > now() + reuseMs,
    )
    for (const checkout of open) {
      if (checkout === reusable) continue
      await provider.expireCheckout(checkout.provider_id)
      await applyCheckout(checkout)
    }
    return reusable ?? null
  }

  async function requireNoPlan(userId: string): Promise<void> {
    const subscription = await refreshSubscription(userId)
    if (subscription && blocksPurchase(subscription)) throw apiError('ALREADY_SUBSCRIBED')
  }

  return {
    /**
     * Starts a checkout of the account, or returns the one that was started before. Throws CHECKOUT_MISMATCH,
     * RETURN_URL_INVALID, ALREADY_SUBSCRIBED or RATE_LIMITED.
     */
    async startCheckout({ userId, email, customerEmail, successUrl, cancelUrl }: CheckoutInput) {
      if (customerEmail.trim().toLowerCase() !== email.toLowerCase()) throw apiError('CHECKOUT_MISMATCH')
      const successPath = parseReturnPath(successUrl, publicUrl)
      const cancelPath = parseReturnPath(cancelUrl, publicUrl)
      if (successPath === null || cancelPath === null) throw apiError('RETURN_URL_INVALID')
      const buyer = { userId, customerEmail: email, successPath, cancelPath }
      return lock(userId, async () => {
        await requireNoPlan(userId)
        const reused = await reuseCheckout(buyer)
        // A payment may have come in before the other checkouts were expired.
        await requireNoPlan(userId)
        const { id, url } = reused ?? (await createCheckout(buyer))
        return { id, url }
      })
    },
    /** The subscription of the account, read from the provider where something may have changed. */
    subscriptionOf: (userId: string): Promise<StoredSubscription | null> =>
      lock(userId, () => refreshSubscription(userId)),
    /** Cancels at the end of the paid period and returns that time. Throws NO_SUBSCRIPTION. */
    cancel: (userId: string): Promise<number> =>
      lock(userId, async () => {
        const found = await refreshSubscription(userId)
        if (!found || found.endedAt !== null) throw apiError('NO_SUBSCRIPTION')
        await provider.setCancelAtPeriodEnd(found.providerId)
        await applySubscription(userId, found.providerId)
        return (await findSubscription(userId))?.periodEnd ?? found.periodEnd
      }),
    /** Moves the end of the paid period by days and returns it. Throws NO_SUBSCRIPTION. */
    extend: (userId: string, days: number): Promise<number> =>
      lock(userId, async () => {
        const found = await refreshSubscription(userId)
        if (!found || found.endedAt !== null) throw apiError('NO_SUBSCRIPTION')
        await provider.extend(found.providerId, days)
        await applySubscription(userId, found.providerId)
        return (await findSubscription(userId))?.periodEnd ?? found.periodEnd
      }),
    /** Applies a payment that the provider has reported. */
    async applyPayment(providerId: string): Promise<void> {
      const checkout = await store.findCheckout(providerId)
      if (checkout) await lock(checkout.user_id, () => applyCheckout(checkout))
    },
    /** Whether this is a checkout of an account that exists. */
    isCheckout: async (providerId: string): Promise<boolean> => (await store.findCheckout(providerId)) !== null,
    /** Applies payments whose return page was never opened, and renewals. A failure does not stop the others. */
    job: {
      name: 'subscriptions',
      everyMs: sweepLimits.everyMs,
      async run(signal) {
        const apply = (userId: string, step: () => Promise<void>) => lock(userId, step, 'job').catch(onError)
        for await (const checkout of inBatches(store.openCheckouts, ({ id }) => id)) {
          if (signal.aborted) return
          await apply(checkout.user_id, () => applyCheckout(checkout))
        }
        const before = now()
        const listStale = (after: string, limit: number) => store.staleSubscriptions({ before, after, limit })
        for await (const { user_id, provider_id } of inBatches(listStale, (row) => row.provider_id)) {
          if (signal.aborted) return
          await apply(user_id, () => applySubscription(user_id, provider_id))
        }
        await store.removeOldCheckouts(before - retentionMs)
        await provider.removeOldCheckouts(before - retentionMs)
      },
    } satisfies Job,
  }
}

/** Reads rows in the order of their keys, a batch at a time. */
async function* inBatches<Row>(list: (after: string, limit: number) => Promise<Row[]>, keyOf: (row: Row) => string) {
  for (let after = ''; ; ) {
    const rows = await list(after, sweepLimits.batch)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < sweepLimits.batch) return
    after = keyOf(last)
  }
}

export type BillingService = ReturnType<typeof createBillingService>
