import * as z from 'zod'
import { draftInvoice, subscriptionIdOf, voidInvoice } from '../billing/invoices.ts'
import { discardPendingUpdate } from '../billing/pending-updates.ts'
import { periodEndAfter } from '../billing/periods.ts'
import { checkProrationDate, firstItem, periodLines, priceOf, prorate } from '../billing/proration.ts'
import { hasEnded } from '../billing/renewals.ts'
import { endpoint } from '../http/endpoint.ts'
import { isInRange, pageOf } from '../http/lists.ts'
import { expand, integer, paging, range } from '../http/params.ts'
import { findByParam, findByPath, invalidRequest } from '../http/stripe-error.ts'
import type { InvoiceLine, StoredSubscription, StripeState } from '../state/state.ts'
import { findQuantities, itemFields, prorationBehavior } from './subscription-routes.ts'

const missing = { kind: 'invoice', param: 'invoice' }

const previewFields = {
  ...expand,
  customer: z.string().optional(),
  subscription: z.string(),
  subscription_details: z
    .strictObject({
      items: itemFields,
      proration_behavior: prorationBehavior,
      proration_date: integer.optional(),
    })
    .optional(),
}

export const invoiceRoutes = [
  endpoint('POST', '/v1/invoices/create_preview', previewFields, ({ state, params }) => {
    const { customer, subscription_details: details = {} } = params
    const subscription = findByParam(state.subscriptions, params.subscription, {
      kind: 'subscription',
      param: 'subscription',
    })
    if (customer !== undefined && customer !== subscription.customer)
      throw invalidRequest('The subscription does not belong to the customer.', 'subscription')
    if (hasEnded(subscription))
      throw invalidRequest('No upcoming invoices for customer', 'subscription', 'invoice_upcoming_none')
    const { proration_date: date = state.clock.seconds() } = details
    checkProrationDate(subscription, date, 'subscription_details[proration_date]')
    const lines = previewLines(state, subscription, details, date)
    const prorationDate = details.proration_date
    const preview = draftInvoice(state, subscription, { lines, reason: 'upcoming', prorationDate })
    return { ...preview, id: preview.id.replace('in_', 'upcoming_in_') }
  }),
  endpoint('GET', '/v1/invoices/:id', expand, ({ state, id }) => findByPath(state.invoices, id, missing)),
  endpoint(
    'GET',
    '/v1/invoices',
    {
      ...paging,
      customer: z.string().optional(),
      subscription: z.string().optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      created: range.optional(),
    },
    ({ state, params: { customer, subscription, status, created, ...params } }) => {
      const invoices = [...state.invoices.values()].filter(
        (invoice) =>
          (customer === undefined || invoice.customer === customer) &&
          (subscription === undefined || subscriptionIdOf(invoice) === subscription) &&
          (status === undefined || invoice.status === status) &&
          isInRange(invoice.created, created),
      )
      return pageOf(invoices, '/v1/invoices', params)
    },
  ),
  endpoint('POST', '/v1/invoices/:id/void', expand, ({ state, id }) => {
    const invoice = findByPath(state.invoices, id, missing)
    voidInvoice(state, invoice)
    const subscription = state.subscriptions.get(subscriptionIdOf(invoice))
    if (subscription && state.pendingInvoices.get(subscription.id) === id) discardPendingUpdate(state, subscription)
    return invoice
  }),
]

type PreviewDetails = NonNullable<z.output<z.ZodObject<typeof previewFields>>['subscription_details']>

/** What would be charged now or, if nothing would be, at the end of the period. */
function previewLines(
  state: StripeState,
  subscription: StoredSubscription,
  { items, proration_behavior = 'create_prorations' }: PreviewDetails,
  date: number,
): InvoiceLine[] {
  const quantities = findQuantities(subscription, items, 'subscription_details[items]')
  const prorations = proration_behavior === 'none' ? [] : prorate(subscription, quantities, date)
  if (proration_behavior === 'always_invoice') return prorations
  const item = firstItem(subscription)
  const start = item.current_period_end
  const end = periodEndAfter(start, subscription.billing_cycle_anchor, priceOf(item).recurring)
  const pending = state.pendingLines.get(subscription.id) ?? []
  return [...pending, ...prorations, ...periodLines(subscription, { start, end }, quantities)]
}
