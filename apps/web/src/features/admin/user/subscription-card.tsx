import type { UserDetail } from '@sallyport/contract/admin'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { OptionalDate } from '../times.tsx'
import { Detail, DetailList } from './detail-list.tsx'
import { useUserActions } from './user-actions.tsx'

/** The subscription of a personal plan. */
export function SubscriptionCard({ detail: { user, subscription, abilities } }: { readonly detail: UserDetail }) {
  const { ask } = useUserActions()
  const isEnding = subscription?.cancel_at_period_end ?? false
  return (
    <Card aria-labelledby="subscription-heading">
      <CardHeading id="subscription-heading" title={adminUserStrings.subscription}>
        {isEnding ? <Badge tone="brass">{adminUserStrings.endingSoon}</Badge> : null}
      </CardHeading>
      <div className="mt-2">
        <DetailList>
          <Detail label={adminUserStrings.status}>
            {adminUserStrings.statuses[subscription?.status ?? user.subscription_status]}
          </Detail>
          <Detail label={isEnding ? adminUserStrings.planEnds : adminUserStrings.periodEnd}>
            <OptionalDate time={subscription?.current_period_end ?? null} />
          </Detail>
          <Detail label={adminUserStrings.subscriptionId}>
            <ProviderId id={user.stripe_subscription_id} />
          </Detail>
          <Detail label={adminUserStrings.customerId}>
            <ProviderId id={user.stripe_customer_id} />
          </Detail>
        </DetailList>
      </div>
      {abilities['cancel-subscription'] ? (
        <Button variant="danger-outline" className="mt-3" onClick={() => ask({ type: 'cancel-subscription' })}>
          {adminUserStrings.cancelSubscription}
        </Button>
      ) : null}
    </Card>
  )
}

const ProviderId = ({ id }: { readonly id: string | null }) =>
  id === null ? adminUserStrings.none : <span className="num">{id}</span>
