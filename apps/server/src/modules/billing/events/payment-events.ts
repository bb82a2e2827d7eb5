import type { ServerContext } from '../../../context.ts'
import type { BillingStore, SubscriptionRow } from '../billing.store.ts'
import type { BillingEvent, EventSubject, ListedSubscription } from '../billing-provider.ts'
import type { Payment, StalePaymentsStore } from './stale-payments.store.ts'
import type { StalePayments } from './stale-payments.ts'

interface PaymentEventsDeps extends Pick<ServerContext, 'now'> {
  readonly store: Pick<BillingStore, 'findCheckout' | 'findCheckoutById' | 'findSubscription'>
  readonly staleStore: Pick<StalePaymentsStore, 'receive' | 'markOnce'>
  readonly stalePayments: Pick<StalePayments, 'wake'>
}

/** Takes what the provider reports: only checkouts of this server, and subscriptions that follow from them, count. */
export function createPaymentEvents({ store, staleStore, stalePayments, now }: PaymentEventsDeps) {
  async function findPayment(subject: EventSubject): Promise<Payment | null> {
    const { kind, providerId } = subject
    if (kind === 'checkout') return (await store.findCheckout(providerId)) && { kind, providerId }
    if (await store.findSubscription(providerId)) return { kind, providerId }
    const checkout = subject.checkoutId === null ? null : await store.findCheckoutById(subject.checkoutId)
    return checkout && { kind: 'checkout', providerId: checkout.provider_id }
  }

  return {
    /** Stores an event once and has its subject read soon. Returns whether it is about something of this server. */
    async receive({ id, type, subject }: BillingEvent): Promise<boolean> {
      const payment = subject && (await findPayment(subject))
      const isNew = await staleStore.receive({ id, type, payment, now: now() })
      if (isNew && payment) stalePayments.wake()
      return payment !== null
    },
    /** Has a subscription in the provider's list read if it is stored differently. Returns whether this server knows it. */
    async compare({ providerId, checkoutId, snapshot }: ListedSubscription): Promise<boolean> {
      const stored = await store.findSubscription(providerId)
      if (stored && isSame(stored, snapshot)) return true
      const payment = await findPayment({ kind: 'subscription', providerId, checkoutId })
      if (payment) await staleStore.markOnce([payment], now())
      return payment !== null
    },
  }
}

export type PaymentEvents = ReturnType<typeof createPaymentEvents>

const isSame = (stored: SubscriptionRow, snapshot: ListedSubscription['snapshot']): boolean =>
  stored.status === snapshot.status &&
  stored.quantity === snapshot.quantity &&
  stored.period_end === snapshot.periodEnd &&
  stored.cancel_at_period_end === Number(snapshot.cancelsAtPeriodEnd)
