import { billing, type PaidPlan } from '@sallyport/contract/billing'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from '../api/api-context.ts'
import { paymentUrlOf } from './payment-url.ts'
import { useOpenPaymentUrl } from './use-open-payment-url.ts'

/** Opens the page of the payment provider with the payment method and the invoices of a plan. It leads back to this page. */
export function usePaymentDetails(plan: PaidPlan) {
  const call = useCall()
  const queries = useQueryClient()
  const open = useOpenPaymentUrl()
  return useMutation({
    async mutationFn() {
      const { url } = await call(billing.manageSubscription, {
        query: { plan },
        body: { return_path: location.pathname },
      })
      await open(paymentUrlOf('portal', url))
    },
    networkMode: 'always',
    // The browser is back: everything but the configuration may have changed.
    onSuccess: () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' }),
  })
}
