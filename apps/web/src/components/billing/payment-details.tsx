import type { billing, PaidPlan } from '@sallyport/contract/billing'
import type { Reply } from '@sallyport/contract/endpoint'
import { Banner } from '#/components/ui/banner.tsx'
import { Button, type ButtonSize } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { usePaymentDetails } from '#/lib/payments/use-payment-details.ts'
import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'

interface PaymentDetailsButtonProps {
  readonly plan: PaidPlan
  readonly size?: ButtonSize
}

/** Opens the payment method and the invoices of a plan. An error is shown below the row of buttons that it is in. */
export function PaymentDetailsButton({ plan, size }: PaymentDetailsButtonProps) {
  const opening = usePaymentDetails(plan)
  return (
    <>
      <Button
        {...(size && { size })}
        busy={opening.isPending}
        busyLabel={subscriptionStrings.opening}
        onClick={() => opening.mutate()}
      >
        {subscriptionStrings.paymentDetails}
      </Button>
      {opening.error ? (
        <div className="order-last basis-full">
          <FormAlert message={messageFor(opening.error, subscriptionStrings.paymentPageFailed)} />
        </div>
      ) : null}
    </>
  )
}

interface UnpaidBannerProps {
  readonly plan: PaidPlan
  readonly subscription: Pick<Reply<typeof billing.subscription>, 'keep_until' | 'has_payment_page'>
  readonly className?: string
}

/** Says until when a plan stays whose last payment has failed. Nothing while it is paid. */
export function UnpaidBanner({ plan, subscription, className = '' }: UnpaidBannerProps) {
  const { keep_until: keepUntil, has_payment_page: hasPage } = subscription
  const opening = usePaymentDetails(plan)
  if (keepUntil === null) return null
  return (
    <Banner
      tone="brass"
      className={className}
      actions={
        hasPage ? (
          <Button
            size="compact"
            busy={opening.isPending}
            busyLabel={subscriptionStrings.opening}
            onClick={() => opening.mutate()}
          >
            {subscriptionStrings.update}
          </Button>
        ) : null
      }
    >
      {subscriptionStrings.unpaid(formatDate(keepUntil * 1000))}
      {opening.error ? (
        <span className="block">{messageFor(opening.error, subscriptionStrings.paymentPageFailed)}</span>
      ) : null}
    </Banner>
  )
}
