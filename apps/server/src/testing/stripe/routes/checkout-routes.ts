import * as z from 'zod'
import { expireCheckout } from '../billing/checkouts.ts'
import { endpoint } from '../http/endpoint.ts'
import { boolean, expand, integer, mergeMetadata, metadata } from '../http/params.ts'
import { findByParam, findByPath, invalidRequest } from '../http/stripe-error.ts'
import { lineItemsOf, newCheckoutSession } from '../objects/checkout-session.ts'
import { type CheckoutLine, requireEntry, type StripeState } from '../state/state.ts'

const minSeconds = 30 * 60
const maxSeconds = 24 * 60 * 60

const auto = z.enum(['auto', 'never'])
const createFields = {
  ...expand,
  mode: z.literal('subscription'),
  line_items: z.array(z.strictObject({ price: z.string(), quantity: integer.pipe(z.number().min(1)) })).min(1),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  customer: z.string().optional(),
  customer_email: z.email().optional(),
  client_reference_id: z.string().max(200).optional(),
  expires_at: integer.optional(),
  metadata: metadata.optional(),
  subscription_data: z.strictObject({ metadata: metadata.optional() }).optional(),
  allowed_payment_method_types: z.array(z.string()).optional(),
  automatic_tax: z.strictObject({ enabled: boolean }).optional(),
  tax_id_collection: z.strictObject({ enabled: boolean }).optional(),
  customer_update: z.strictObject({ address: auto.optional(), name: auto.optional() }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  allow_promotion_codes: boolean.optional(),
  locale: z.string().optional(),
}
type CreateParams = z.output<z.ZodObject<typeof createFields>>

const missing = { kind: 'checkout.session', param: 'session' }

export const checkoutRoutes = [
  endpoint('POST', '/v1/checkout/sessions', createFields, ({ state, params }) => {
    checkCustomer(state, params)
    const created = state.clock.seconds()
    const expiresAt = params.expires_at ?? created + maxSeconds
    checkExpiry(expiresAt - created)
    const lines = params.line_items.map((line, index) => findLine(state, line, index))
    const session = newCheckoutSession({
      origin: state.origin,
      created,
      expiresAt,
      customer: params.customer ?? null,
      customerEmail: params.customer_email ?? null,
      clientReferenceId: params.client_reference_id ?? null,
      lines,
      successUrl: params.success_url,
      cancelUrl: params.cancel_url ?? null,
      metadata: mergeMetadata({}, params.metadata),
      allowedPaymentMethods: params.allowed_payment_method_types ?? null,
      automaticTax: params.automatic_tax?.enabled ?? false,
      taxIds: params.tax_id_collection?.enabled ?? false,
      promotionCodes: params.allow_promotion_codes ?? false,
      billingAddress: params.billing_address_collection ?? 'auto',
      locale: params.locale ?? null,
    })
    const lineItems = lineItemsOf(session.id, lines, ({ price }) => requireEntry(state.products, price.product).name)
    const subscriptionMetadata = mergeMetadata({}, params.subscription_data?.metadata)
    state.checkouts.set(session.id, { session, lines, lineItems, subscriptionMetadata })
    return session
  }),
  endpoint(
    'GET',
    '/v1/checkout/sessions/:id',
    expand,
    ({ state, id }) => findByPath(state.checkouts, id, missing).session,
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', expand, ({ state, id }) => {
    const checkout = findByPath(state.checkouts, id, missing)
    expireCheckout(state, checkout)
    return checkout.session
  }),
]

function checkCustomer(state: StripeState, params: CreateParams): void {
  const { customer, customer_email, customer_update, tax_id_collection, automatic_tax } = params
  if (customer === undefined) {
    if (customer_update !== undefined)
      throw invalidRequest('`customer_update` can only be used with `customer`.', 'customer_update')
    return
  }
  if (customer_email !== undefined)
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', 'customer')
  findByParam(state.customers, customer, { kind: 'customer', param: 'customer' })
  if (tax_id_collection?.enabled === true && customer_update?.name !== 'auto')
    throw invalidRequest('Tax ID collection requires `customer_update[name]` to be `auto`.', 'tax_id_collection')
  if (automatic_tax?.enabled === true && customer_update?.address !== 'auto')
    throw invalidRequest('Automatic tax requires `customer_update[address]` to be `auto`.', 'automatic_tax[enabled]')
}

function checkExpiry(seconds: number): void {
  if (seconds < minSeconds || seconds > maxSeconds)
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      'expires_at',
    )
}

function findLine(
  state: StripeState,
  { price: priceId, quantity }: CreateParams['line_items'][number],
  index: number,
): CheckoutLine {
  const param = `line_items[${index}][price]`
  const price = findByParam(state.prices, priceId, { kind: 'price', param })
  if (!price.active)
    throw invalidRequest('The price specified is inactive. This field only accepts active prices.', param)
  return { price, quantity }
}
