import type { IncomingMessage, ServerResponse } from 'node:http'
import { catalogRoutes } from '../routes/catalog-routes.ts'
import { checkoutRoutes } from '../routes/checkout-routes.ts'
import { customerRoutes } from '../routes/customer-routes.ts'
import { eventAndWebhookRoutes } from '../routes/event-routes.ts'
import { invoiceRoutes } from '../routes/invoice-routes.ts'
import { portalRoutes } from '../routes/portal-routes.ts'
import { subscriptionRoutes } from '../routes/subscription-routes.ts'
import { apiVersion } from '../state/events.ts'
import { createId, type StripeState } from '../state/state.ts'
import type { Endpoint } from './endpoint.ts'
import type { Faults } from './faults.ts'
import { parseForm } from './form-params.ts'
import type { Answer, IdempotencyStore } from './idempotency.ts'
import { errorBody, invalidRequest, StripeApiError } from './stripe-error.ts'

const endpoints: readonly Endpoint[] = [
  ...customerRoutes,
  ...catalogRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalRoutes,
  ...eventAndWebhookRoutes,
]

interface ApiDeps {
  readonly state: StripeState
  /** The secret keys that are accepted. */
  readonly key: string
  readonly faults: Faults
  readonly idempotency: IdempotencyStore
  /** Runs what is due. */
  readonly tick: () => void
}

interface ApiRequest {
  readonly method: string
  readonly path: string
  /** The body of a POST or the query of another request. */
  readonly form: string
  readonly idempotencyKey: string | null
}

/** Returns a function that handles requests to the API. */
export function createApi({ state, key, faults, idempotency, tick }: ApiDeps) {
  function run({ method, path, form }: ApiRequest): Answer {
    for (const endpoint of endpoints) {
      const match = endpoint.method === method ? endpoint.path.exec(path) : null
      if (match === null) continue
      const answer = endpoint.answer(state, decodeURIComponent(match[1] ?? ''), parseForm(form))
      return { status: 200, body: JSON.stringify(answer, null, 2), isSaved: true }
    }
    throw new StripeApiError(404, `Unrecognized request URL (${method}: ${path}).`)
  }

  /** Runs a request, or answers as the first one with its key was answered. */
  function runOnce(request: ApiRequest, isFailing: boolean): Answer {
    const { method, path, form } = request
    const idempotencyKey = method === 'POST' ? request.idempotencyKey : null
    const content = `${method} ${path} ${form}`
    const saved = idempotencyKey === null ? null : idempotency.find(idempotencyKey, content)
    if (saved !== null) return saved
    state.request = { id: createId('req'), idempotency_key: idempotencyKey }
    const answer = answerOf(() => (isFailing ? serverError(500) : run(request)))
    state.request = null
    if (idempotencyKey !== null && answer.isSaved) idempotency.save(idempotencyKey, content, answer)
    return answer
  }

  return (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { method = 'GET' } = request
    const { pathname: path, search } = new URL(request.url ?? '/', state.origin)
    const fault = faults.take(method, path)
    if (fault === 'hang') return
    const answer = answerOf(() => {
      checkHeaders(request, key)
      if (fault === 'unavailable') return serverError(503)
      tick()
      const form = method === 'POST' ? body : search.slice(1)
      const idempotencyKey = request.headers['idempotency-key']
      return runOnce({ method, path, form, idempotencyKey: idempotencyKey?.toString() ?? null }, fault === 'error')
    })
    if (fault === 'lost-answer') {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': createId('req'),
      'stripe-version': apiVersion,
    })
    response.end(answer.body)
  }
}

function answerOf(handle: () => Answer): Answer {
  try {
    return handle()
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error
    // Parameters that are not valid leave the idempotency key unused.
    const isSaved = !(error.fields.code ?? '').startsWith('parameter_')
    return { status: error.status, body: JSON.stringify(errorBody(error), null, 2), isSaved }
  }
}

function serverError(status: 500 | 503): never {
  throw new StripeApiError(status, 'An unknown error occurred', { type: 'api_error' })
}

function checkHeaders({ headers }: IncomingMessage, key: string): void {
  if (headers.authorization !== `Bearer ${key}`)
    throw new StripeApiError(
      401,
      headers.authorization ? 'Invalid API Key provided' : 'You did not provide an API key.',
    )
  if (headers['stripe-version'] !== apiVersion)
    throw invalidRequest(`The Stripe test server needs Stripe-Version ${apiVersion}.`)
}
