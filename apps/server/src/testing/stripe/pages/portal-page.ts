import type { Stripe } from 'stripe'
import { payByCustomer } from '../billing/renewals.ts'
import type { StripeState } from '../state/state.ts'
import { buttonOf, linkOf, type PageAnswer, pageOf, paragraphOf } from './html.ts'

/** The page of a portal session and its button. */
export function answerPortalPage(
  state: StripeState,
  session: Stripe.BillingPortal.Session,
  action: string,
): PageAnswer {
  const findOpen = () =>
    [...state.invoices.values()].filter(({ customer, status }) => customer === session.customer && status === 'open')
  if (action === 'pay') for (const invoice of findOpen()) payByCustomer(state, invoice)
  return {
    html: pageOf('Payment details', [
      paragraphOf(`Open invoices: ${findOpen().length}`),
      buttonOf('Pay open invoices', `/p/session/${session.id}/pay`),
      ...(session.return_url === null ? [] : [linkOf('Return', session.return_url)]),
    ]),
  }
}
