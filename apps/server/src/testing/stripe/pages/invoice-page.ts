import { payByCustomer } from '../billing/renewals.ts'
import type { StoredInvoice, StripeState } from '../state/state.ts'
import { buttonOf, formatAmount, type PageAnswer, pageOf, paragraphOf } from './html.ts'

/** The hosted page of an invoice and its button. */
export function answerInvoicePage(state: StripeState, invoice: StoredInvoice, action: string): PageAnswer {
  if (action === 'pay' && invoice.status === 'open') payByCustomer(state, invoice)
  const { id, status, amount_due, currency } = invoice
  return {
    html: pageOf('Invoice', [
      paragraphOf(`Total ${formatAmount(amount_due, currency)}`),
      status === 'open' ? buttonOf('Confirm', `/i/${id}/pay`) : paragraphOf(`This invoice is ${status}.`),
    ]),
  }
}
