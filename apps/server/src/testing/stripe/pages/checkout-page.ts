import { declinedMessage } from '../billing/charges.ts'
import { completeCheckout } from '../billing/checkouts.ts'
import type { StoredCheckout, StripeState } from '../state/state.ts'
import { alertOf, buttonOf, formatAmount, type PageAnswer, pageOf, paragraphOf } from './html.ts'

/** The page of a checkout and its buttons. */
export function answerCheckoutPage(state: StripeState, checkout: StoredCheckout, action: string): PageAnswer {
  const { session } = checkout
  if (session.status === 'complete') return { html: pageOf('Payment', [paragraphOf('This checkout is paid.')]) }
  if (session.status === 'expired') return { html: pageOf('Payment', [paragraphOf('This checkout has expired.')]) }
  if (action === 'pay') {
    completeCheckout(state, checkout)
    return { location: successUrlOf(checkout) }
  }
  if (action === 'back') return { location: session.cancel_url ?? '/' }
  return { html: checkoutPage(checkout, action === 'decline') }
}

/** Where the customer returns to after the payment. */
export const successUrlOf = ({ session }: StoredCheckout): string =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

function checkoutPage({ session, lineItems }: StoredCheckout, isDeclined: boolean): string {
  const path = `/c/pay/${session.id}`
  const amount = formatAmount(session.amount_total ?? 0, session.currency ?? 'usd')
  return pageOf('Payment', [
    ...lineItems.data.map(({ description, quantity }) => paragraphOf(`${description}, quantity ${quantity}`)),
    paragraphOf(`Total ${amount}`),
    ...(isDeclined ? [alertOf(declinedMessage)] : []),
    buttonOf('Pay', `${path}/pay`),
    buttonOf('Decline the card', `${path}/decline`),
    ...(session.cancel_url === null ? [] : [buttonOf('Back', `${path}/back`)]),
  ])
}
