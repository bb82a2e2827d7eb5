import type { Stripe } from 'stripe'
import { isInvalidRequest } from './stripe-errors.ts'
import { idOf } from './stripe-objects.ts'

/** Statuses of a payment that the buyer or the bank can still complete. */
const unfinishedStatuses: readonly string[] = ['requires_action', 'processing']

/** Reads the invoice that a pending update of a subscription waits for, with its payments; null without any. */
async function findPendingInvoice(
  stripe: Stripe,
  { pending_update, latest_invoice }: Stripe.Subscription,
): Promise<Stripe.Invoice | null> {
  if (pending_update === null || latest_invoice === null) return null
  // Expanded from the invoice: Stripe allows four levels, and from the subscription it would be five.
  return stripe.invoices.retrieve(idOf(latest_invoice), { expand: ['payments.data.payment.payment_intent'] })
}

/** The page of a pending update whose payment can still be completed there; null if it can not. */
export async function findPayUrl(stripe: Stripe, subscription: Stripe.Subscription): Promise<string | null> {
  const invoice = await findPendingInvoice(stripe, subscription)
  if (invoice?.status !== 'open') return null
  const intents = invoice.payments?.data.map(({ payment }) => payment.payment_intent) ?? []
  const isUnfinished = intents.some(
    (intent) => typeof intent === 'object' && unfinishedStatuses.includes(intent.status),
  )
  return isUnfinished ? (invoice.hosted_invoice_url ?? null) : null
}

/** Voids the invoice of a pending update, so that nothing can be charged for it later. */
export async function voidPendingInvoice(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.pending_update !== null) await voidLatestInvoice(stripe, subscription)
}

/** Voids the last invoice if it is open, so that it can no longer be paid. */
export async function voidLatestInvoice(stripe: Stripe, { latest_invoice }: Stripe.Subscription): Promise<void> {
  if (latest_invoice === null) return
  const id = idOf(latest_invoice)
  try {
    await stripe.invoices.voidInvoice(id)
  } catch (error) {
    if (!isInvalidRequest(error)) throw error
    // It may have been paid or voided a moment ago.
    const { status } = await stripe.invoices.retrieve(id)
    if (status === 'open') throw error
  }
}
