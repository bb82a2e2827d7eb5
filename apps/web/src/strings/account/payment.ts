import { area } from '../area.ts'

/** What leads to the pages of the payment provider. */
export const paymentStrings = area('payment', {
  details: 'Payment details',
  unpaid: (date: string) => `The last payment failed. Update your payment method by ${date} to keep your plan.`,
  update: 'Update',
  opening: 'Opening…',
  failed: 'The payment page could not be opened',
})
