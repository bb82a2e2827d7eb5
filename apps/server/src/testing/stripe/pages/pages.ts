import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StripeState } from '../state/state.ts'
import { answerCheckoutPage } from './checkout-page.ts'
import type { PageAnswer } from './html.ts'
import { answerInvoicePage } from './invoice-page.ts'
import { answerPortalPage } from './portal-page.ts'

/** Answers requests for the hosted pages. Actions need POST. */
export function answerPage(state: StripeState, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', state.origin)
  const page = findPage(state, pathname, request.method === 'POST')
  if (page === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
  } else if ('location' in page) {
    response.writeHead(303, { location: page.location }).end()
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
  }
}

function findPage(state: StripeState, path: string, isPost: boolean): PageAnswer | null {
  const [, folder, id = '', action = ''] = /^\/(c\/pay|i|p\/session)\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
  const posted = isPost ? action : ''
  const checkout = folder === 'c/pay' ? state.checkouts.get(id) : undefined
  if (checkout) return answerCheckoutPage(state, checkout, posted)
  const invoice = folder === 'i' ? state.invoices.get(id) : undefined
  if (invoice) return answerInvoicePage(state, invoice, posted)
  const session = folder === 'p/session' ? state.portalSessions.get(id) : undefined
  return session ? answerPortalPage(state, session, posted) : null
}
