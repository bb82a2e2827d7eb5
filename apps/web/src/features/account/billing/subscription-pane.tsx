import type { accounts } from '@sallyport/contract/accounts'
import type { billing } from '@sallyport/contract/billing'
import type { Reply } from '@sallyport/contract/endpoint'
import { formatBytes } from '@sallyport/contract/formats'
import { subscriptionCancelledMs } from '@sallyport/contract/limits'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { PaymentDetailsButton, UnpaidBanner } from '#/components/billing/payment-details.tsx'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { CardHeading } from '#/components/ui/card.tsx'
import { useFlash } from '#/components/ui/hooks/use-flash.ts'
import { formatPrice } from '#/lib/format-price.ts'
import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { formatOptionalDate } from '#/strings/dates/optional-date.ts'
import { CancelSubscriptionDialog } from './cancel-subscription-dialog.tsx'
import { Detail } from './detail.tsx'

interface SubscriptionPaneProps {
  readonly user: Reply<typeof accounts.userInfo>['user']
  readonly subscription: Reply<typeof billing.subscription>
}

const gigabyte = 1024 ** 3

/** The personal plan that the account pays for, and the buttons to pay for it and to cancel it. */
export function SubscriptionPane({ user, subscription }: SubscriptionPaneProps) {
  const [isCancelling, setCancelling] = useState(false)
  const cancelled = useFlash(subscriptionCancelledMs)
  const { cancel_at_period_end: isEnding, price_cents: cents } = subscription
  const isOverdue = subscription.status === 'past_due'
  const activeBadge = isOverdue ? subscriptionStrings.overdue : subscriptionStrings.active
  const badge = isEnding ? subscriptionStrings.endingSoon : activeBadge
  const { current_period_end: end } = subscription
  const date = formatOptionalDate(end === null ? null : end * 1000)
  const { storage_used_bytes: used, storage_limit_bytes: limit } = user
  const features = [subscriptionStrings.storage(Math.round(limit / gigabyte)), ...subscriptionStrings.features]

  return (
    <>
      <CardHeading id="licence-heading" title={subscriptionStrings.heading}>
        <Badge tone={isEnding || isOverdue ? 'brass' : 'seal'}>{badge}</Badge>
      </CardHeading>
      <UnpaidBanner plan="personal" subscription={subscription} className="my-3" />
      {cents === null ? null : (
        <p className="mt-2 text-base font-semibold">{subscriptionStrings.perMonth(formatPrice(cents))}</p>
      )}
      <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-3">
        <Detail label={isEnding ? subscriptionStrings.endsOn : subscriptionStrings.nextBillingDate} value={date} />
        <Detail label={upgradeStrings.storage} value={upgradeStrings.usage(formatBytes(used), formatBytes(limit))} />
      </dl>
      <ul className="mt-4 grid gap-2 text-sm sm:grid-cols-2">
        {features.map((feature) => (
          <li key={feature} className="flex items-center gap-2.5">
            <Check aria-hidden size={16} strokeWidth={2} className="shrink-0 text-seal" />
            {feature}
          </li>
        ))}
      </ul>
      {isEnding ? <p className="mt-4 text-sm text-ink-2">{subscriptionStrings.ending(date)}</p> : null}
      <p role="status" className="mt-4 text-sm font-medium text-seal empty:hidden">
        {cancelled.isShown ? subscriptionStrings.cancelled : null}
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5 empty:hidden">
        {subscription.has_payment_page ? <PaymentDetailsButton plan="personal" /> : null}
        {isEnding ? null : (
          <Button variant="danger-outline" onClick={() => setCancelling(true)}>
            {subscriptionStrings.cancel}
          </Button>
        )}
      </div>
      <CancelSubscriptionDialog
        open={isCancelling}
        date={date}
        onClose={() => setCancelling(false)}
        onCancelled={cancelled.show}
      />
    </>
  )
}
