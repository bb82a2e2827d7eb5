import * as z from 'zod'
import { checkProrationDate, type Quantities } from '../billing/proration.ts'
import { endSubscription, hasEnded } from '../billing/renewals.ts'
import { changeQuantities, setCancelAt, setCancelAtPeriodEnd, startTrial } from '../billing/subscription-changes.ts'
import { endpoint } from '../http/endpoint.ts'
import { isInRange, pageOf } from '../http/lists.ts'
import { boolean, expand, integer, mergeMetadata, metadata, paging, range } from '../http/params.ts'
import { findByPath, invalidRequest, StripeApiError } from '../http/stripe-error.ts'
import { updateSubscription } from '../state/events.ts'
import type { StoredSubscription } from '../state/state.ts'

export const itemFields = z
  .array(z.strictObject({ id: z.string(), quantity: integer.pipe(z.number().min(0)).optional() }))
  .optional()
export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()

const updateFields = {
  ...expand,
  items: itemFields,
  proration_behavior: prorationBehavior,
  proration_date: integer.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete']).optional(),
  cancel_at_period_end: boolean.optional(),
  cancel_at: z.union([z.literal(''), integer]).optional(),
  trial_end: integer.optional(),
  metadata: metadata.optional(),
}
type UpdateParams = z.output<z.ZodObject<typeof updateFields>>

const missing = { kind: 'subscription' }
const statuses = ['active', 'all', 'canceled', 'ended', 'incomplete', 'past_due', 'trialing', 'unpaid'] as const

export const subscriptionRoutes = [
  endpoint('GET', '/v1/subscriptions/:id', expand, ({ state, id }) => findByPath(state.subscriptions, id, missing)),
  endpoint(
    'GET',
    '/v1/subscriptions',
    {
      ...paging,
      status: z.enum(statuses).optional(),
      customer: z.string().optional(),
      price: z.string().optional(),
      created: range.optional(),
    },
    ({ state, params: { status, customer, price, created, ...params } }) => {
      const subscriptions = [...state.subscriptions.values()].filter(
        (subscription) =>
          hasStatus(subscription, status) &&
          (customer === undefined || subscription.customer === customer) &&
          (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
          isInRange(subscription.created, created),
      )
      return pageOf(subscriptions, '/v1/subscriptions', params)
    },
  ),
  endpoint('POST', '/v1/subscriptions/:id', updateFields, ({ state, id, params }) => {
    const subscription = findByPath(state.subscriptions, id, missing)
    checkUpdate(subscription, params)
    const { cancel_at_period_end, cancel_at, trial_end } = params
    if (trial_end !== undefined) startTrial(state, subscription, trial_end)
    if (params.items !== undefined) {
      changeQuantities(state, subscription, {
        quantities: findQuantities(subscription, params.items, 'items'),
        prorationBehavior: params.proration_behavior ?? 'create_prorations',
        prorationDate: params.proration_date ?? state.clock.seconds(),
        paymentBehavior: params.payment_behavior ?? 'allow_incomplete',
      })
    }
    updateSubscription(state, subscription, () => {
      if (cancel_at !== undefined) setCancelAt(state, subscription, cancel_at === '' ? null : cancel_at)
      if (cancel_at_period_end !== undefined) setCancelAtPeriodEnd(state, subscription, cancel_at_period_end)
      subscription.metadata = mergeMetadata(subscription.metadata, params.metadata)
    })
    return subscription
  }),
  endpoint(
    'DELETE',
    '/v1/subscriptions/:id',
    { ...expand, invoice_now: z.literal('false').optional(), prorate: z.literal('false').optional() },
    ({ state, id }) => {
      const subscription = findByPath(state.subscriptions, id, missing)
      if (hasEnded(subscription))
        throw new StripeApiError(404, `No such subscription: '${id}'`, { code: 'resource_missing', param: 'id' })
      endSubscription(state, subscription, 'cancellation_requested')
      return subscription
    },
  ),
]

function hasStatus(subscription: StoredSubscription, status: (typeof statuses)[number] | undefined): boolean {
  if (status === 'all') return true
  if (status === undefined) return !hasEnded(subscription)
  return status === 'ended' ? hasEnded(subscription) : subscription.status === status
}

function checkUpdate(subscription: StoredSubscription, params: UpdateParams): void {
  const { cancel_at_period_end, cancel_at, trial_end, proration_date, proration_behavior, payment_behavior } = params
  const { items, metadata: changedMetadata } = params
  const isBilling = [items, cancel_at_period_end, cancel_at, trial_end].some((value) => value !== undefined)
  if (hasEnded(subscription) && isBilling)
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  if (cancel_at !== undefined && cancel_at_period_end !== undefined)
    throw invalidRequest('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', 'cancel_at')
  if (trial_end !== undefined && (proration_behavior !== 'none' || items !== undefined))
    throw invalidRequest(
      'The Stripe test server supports `trial_end` only without prorations and without items.',
      'trial_end',
    )
  if (
    payment_behavior === 'pending_if_incomplete' &&
    (cancel_at_period_end !== undefined || cancel_at !== undefined || changedMetadata !== undefined)
  )
    throw invalidRequest('These parameters cannot wait for a payment.', 'payment_behavior')
  if (proration_date !== undefined) checkProrationDate(subscription, proration_date, 'proration_date')
}

/** The quantities of a request. Throws 400 for an item of another subscription. */
export function findQuantities(
  subscription: StoredSubscription,
  items: z.output<typeof itemFields> = [],
  param: string,
): Quantities {
  return new Map(
    items.map(({ id, quantity }, index) => {
      const item = subscription.items.data.find((candidate) => candidate.id === id)
      if (item === undefined)
        throw invalidRequest(`No such subscription item: '${id}'`, `${param}[${index}][id]`, 'resource_missing')
      return [id, quantity ?? item.quantity ?? 1]
    }),
  )
}
