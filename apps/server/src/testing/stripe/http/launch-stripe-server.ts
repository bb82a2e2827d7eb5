import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { completeCheckout } from '../billing/checkouts.ts'
import { runDueWork } from '../billing/due-work.ts'
import { payByCustomer } from '../billing/renewals.ts'
import { successUrlOf } from '../pages/checkout-page.ts'
import { answerPage } from '../pages/pages.ts'
import { createClock } from '../state/clock.ts'
import { createDeliveries } from '../state/deliveries.ts'
import { type ChargeOutcome, createState, requireEntry } from '../state/state.ts'
import { createApi } from './api.ts'
import { createFaults } from './faults.ts'
import { createIdempotencyStore } from './idempotency.ts'

export interface StripeServerOptions {
  readonly port?: number
  /** The secret key that is accepted. */
  readonly key?: string
  /** The time in milliseconds, to which `advance` adds. */
  readonly now?: () => number
}

interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
}

/** Starts a test server of Stripe’s API: an HTTP server with its API and its pages, and with an account that is empty. */
export async function launchStripeServer({
  port = 0,
  key = 'sk_test_server',
  now = Date.now,
}: StripeServerOptions = {}) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actualPort } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${actualPort}`
  const clock = createClock(now)
  const state = createState(clock, url)
  const faults = createFaults()
  const deliveries = createDeliveries(state)
  const idempotency = createIdempotencyStore(clock.now)
  const tick = (): void => runDueWork(state)
  const answerApi = createApi({ state, key, faults, idempotency, tick })
  const requests: LoggedRequest[] = []
  let onRequest: ((count: number) => void) | null = null

  function handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    if (request.url?.startsWith('/v1/')) {
      requests.push(logEntryOf(request))
      onRequest?.(requests.length)
      answerApi(request, response, body)
      return
    }
    tick()
    answerPage(state, request, response)
  }

  server.on('request', (request, response) => {
    void text(request).then(
      (body) => {
        try {
          handle(request, response, body)
        } catch (error) {
          // An unhandled rejection fails the test.
          request.socket.destroy()
          throw error
        }
      },
      // The client has closed the connection.
      () => undefined,
    )
  })

  let stopped = false
  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    deliveries.deliverTo(null)
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  return {
    ...deliveries,
    url,
    host: '127.0.0.1',
    port: actualPort,
    key,
    /** The time of the Stripe test server in milliseconds. */
    now: clock.now,
    /** Runs what is due; every request does so as well. */
    async tick(): Promise<void> {
      tick()
      await deliveries.whenDelivered()
    },
    /** Moves the clock forward, and runs what becomes due until then in the order of time. */
    async advance(ms: number): Promise<void> {
      clock.advance(ms)
      tick()
      await deliveries.whenDelivered()
    },
    /** All events, oldest first. */
    events: state.events,
    /** Everything that was paid, oldest first. */
    charges: state.charges,
    /** All requests to the API, also those that failed. */
    requests,
    /** Calls this with the number of requests so far before each of them is handled; null for no longer. */
    watchRequests(listener: ((count: number) => void) | null): void {
      onRequest = listener
    },
    /** Lets the next requests fail. */
    fail: faults.add,
    clearFaults: faults.clear,
    /** Sets the result of charges without the customer from now on: of updates, renewals and retries. */
    setChargeOutcome(outcome: ChargeOutcome, subscriptionId?: string): void {
      if (subscriptionId === undefined) state.outcomes.all = outcome
      else state.outcomes.bySubscription.set(subscriptionId, outcome)
    },
    /** Pays an open checkout as on its page, and returns where the customer is redirected to. */
    async pay(checkoutId: string): Promise<string> {
      tick()
      const checkout = requireEntry(state.checkouts, checkoutId)
      completeCheckout(state, checkout)
      await deliveries.whenDelivered()
      return successUrlOf(checkout)
    },
    /** Pays an open invoice as on its page. */
    async payInvoice(invoiceId: string): Promise<void> {
      tick()
      payByCustomer(state, requireEntry(state.invoices, invoiceId))
      await deliveries.whenDelivered()
    },
    subscriptions: () => [...state.subscriptions.values()],
    checkouts: () => [...state.checkouts.values()].map(({ session }) => session),
    invoices: () => [...state.invoices.values()],
    stop,
  }
}

/** A running stand-in of Stripe. */
export type StripeServer = Awaited<ReturnType<typeof launchStripeServer>>

function logEntryOf({ method = 'GET', url = '/', headers }: IncomingMessage): LoggedRequest {
  const idempotencyKey = headers['idempotency-key']?.toString() ?? null
  return { method, path: new URL(url, 'http://stripe').pathname, idempotencyKey }
}
