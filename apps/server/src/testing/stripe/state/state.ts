import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { StripeClock } from './clock.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** What a charge without the customer results in: it succeeds, the card is declined, or the bank asks for 3-D Secure. */
export type ChargeOutcome = 'pay' | 'decline' | 'action'

export type StoredSubscription = Stripe.Subscription & {
  customer: string
  latest_invoice: string | null
}
export type StoredInvoice = Stripe.Invoice & { customer: string }
export type StoredPrice = Stripe.Price & { product: string; unit_amount: number; recurring: Stripe.Price.Recurring }
export type InvoiceLine = Pick<Stripe.InvoiceLineItem, 'amount' | 'description' | 'period' | 'quantity'> & {
  readonly itemId: string
  readonly price: StoredPrice
  readonly isProration: boolean
}

export interface CheckoutLine {
  readonly price: StoredPrice
  readonly quantity: number
}

export interface StoredCheckout {
  readonly session: Stripe.Checkout.Session & { customer: string | null; subscription: string | null }
  readonly lines: readonly CheckoutLine[]
  readonly lineItems: Stripe.ApiList<Stripe.LineItem>
  readonly subscriptionMetadata: Stripe.Metadata
}

/** An amount that was paid. */
interface Charge {
  readonly cents: number
  readonly customer: string
  readonly subscription: string
  readonly invoice: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Everything that the Stripe test server stores. */
export interface StripeState {
  readonly clock: StripeClock
  /** Where the pages are. */
  readonly origin: string
  readonly customers: Map<string, Stripe.Customer>
  readonly products: Map<string, Stripe.Product>
  readonly prices: Map<string, StoredPrice>
  readonly checkouts: Map<string, StoredCheckout>
  readonly subscriptions: Map<string, StoredSubscription>
  readonly invoices: Map<string, StoredInvoice>
  readonly invoicePayments: Map<string, Stripe.InvoicePayment>
  readonly paymentIntents: Map<string, Stripe.PaymentIntent>
  readonly configurations: Map<string, Stripe.BillingPortal.Configuration>
  readonly portalSessions: Map<string, Stripe.BillingPortal.Session>
  readonly webhookEndpoints: Map<string, Stripe.WebhookEndpoint>
  /** The invoices that pending updates wait for, by subscription. */
  readonly pendingInvoices: Map<string, string>
  /** Prorations that the next invoice contains, by subscription. */
  readonly pendingLines: Map<string, InvoiceLine[]>
  readonly charges: Charge[]
  readonly events: RecordedEvent[]
  /** Called with each new event. */
  readonly eventListeners: ((event: RecordedEvent) => void)[]
  readonly outcomes: { all: ChargeOutcome; readonly bySubscription: Map<string, ChargeOutcome> }
  /** The request that is being handled. */
  request: Stripe.Event.Request | null
}

/** Creates the state of a new account. */
export const createState = (clock: StripeClock, origin: string): StripeState => ({
  clock,
  origin,
  customers: new Map(),
  products: new Map(),
  prices: new Map(),
  checkouts: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  invoicePayments: new Map(),
  paymentIntents: new Map(),
  configurations: new Map(),
  portalSessions: new Map(),
  webhookEndpoints: new Map(),
  pendingInvoices: new Map(),
  pendingLines: new Map(),
  charges: [],
  events: [],
  eventListeners: [],
  outcomes: { all: 'pay', bySubscription: new Map() },
  request: null,
})

/** Creates an id like `cus_…`. */
export const createId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

/** Returns an entry that must exist. */
export function requireEntry<Entry>(entries: ReadonlyMap<string, Entry>, id: string): Entry {
  const entry = entries.get(id)
  if (entry === undefined) throw new Error(`The Stripe test server has no ${id}`)
  return entry
}
