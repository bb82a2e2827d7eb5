import type { StripeState } from '../state/state.ts'
import { expireCheckout } from './checkouts.ts'
import { expirePendingUpdate } from './pending-updates.ts'
import { firstItem } from './proration.ts'
import { endSubscription, hasEnded, renew, retryInvoice } from './renewals.ts'

interface DueWork {
  /** Seconds since the epoch. */
  readonly at: number
  readonly run: () => void
}

/** Runs everything that is due, in the order and at the times of its due dates. */
export function runDueWork(state: StripeState): void {
  const now = state.clock.seconds()
  for (let next = findNext(state); next !== null && next.at <= now; next = findNext(state))
    state.clock.runAt(next.at, next.run)
}

function findNext(state: StripeState): DueWork | null {
  const all = [...checkoutWork(state), ...subscriptionWork(state), ...invoiceWork(state)]
  return all.reduce<DueWork | null>((first, work) => (first === null || work.at < first.at ? work : first), null)
}

const checkoutWork = (state: StripeState): DueWork[] =>
  [...state.checkouts.values()]
    .filter(({ session }) => session.status === 'open')
    .map((checkout) => ({ at: checkout.session.expires_at, run: () => expireCheckout(state, checkout) }))

const subscriptionWork = (state: StripeState): DueWork[] =>
  [...state.subscriptions.values()]
    .filter((subscription) => !hasEnded(subscription))
    .flatMap((subscription) => {
      const { pending_update, cancel_at } = subscription
      const work: DueWork[] = []
      // Of several at the same time the first is run.
      if (pending_update !== null)
        work.push({ at: pending_update.expires_at, run: () => expirePendingUpdate(state, subscription) })
      if (cancel_at !== null)
        work.push({ at: cancel_at, run: () => endSubscription(state, subscription, 'cancellation_requested') })
      work.push({ at: firstItem(subscription).current_period_end, run: () => renew(state, subscription) })
      return work
    })

const invoiceWork = (state: StripeState): DueWork[] =>
  [...state.invoices.values()].flatMap((invoice) =>
    invoice.status === 'open' && invoice.next_payment_attempt !== null
      ? [{ at: invoice.next_payment_attempt, run: () => retryInvoice(state, invoice) }]
      : [],
  )
