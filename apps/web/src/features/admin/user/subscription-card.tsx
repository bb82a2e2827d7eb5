import { admin, type UserDetail } from '@sallyport/contract/admin'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { OptionalDate } from '../times.tsx'
import { Detail, DetailList } from './detail-list.tsx'
import { changeErrorMessage, useChange } from './use-change.ts'
import { useUserActions } from './user-actions.tsx'

/** The subscription of a personal plan. */
export function SubscriptionCard({ detail }: { readonly detail: UserDetail }) {
  const { user, subscription, abilities, can_sync_subscription: canSync } = detail
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
            {subscription ? <OptionalDate time={subscription.current_period_end} /> : adminUserStrings.none}
          </Detail>
          <Detail label={adminUserStrings.subscriptionId}>
            <ProviderId id={user.stripe_subscription_id} />
          </Detail>
          <Detail label={adminUserStrings.customerId}>
            <ProviderId id={user.stripe_customer_id} />
          </Detail>
        </DetailList>
      </div>
      <div className="mt-3 flex flex-wrap gap-2.5 empty:hidden">
        {canSync ? <SyncButton userId={user.id} /> : null}
        {abilities['cancel-subscription'] ? (
          <Button variant="danger-outline" onClick={() => ask({ type: 'cancel-subscription' })}>
            {adminUserStrings.cancelSubscription}
          </Button>
        ) : null}
      </div>
    </Card>
  )
}

/** Reads the subscription from the provider now. It changes nothing by itself, so that no password is asked for. */
function SyncButton({ userId }: { readonly userId: string }) {
  const sync = useChange({
    guard: (action) => action(),
    send: async (call) => (await call(admin.syncUserSubscription, { params: { id: userId } })).message,
  })
  return (
    <>
      <Button busy={sync.isPending} busyLabel={adminUserStrings.syncing} onClick={() => sync.mutate()}>
        {adminUserStrings.sync}
      </Button>
      {sync.error ? (
        <div className="order-last basis-full">
          <FormAlert message={changeErrorMessage(sync.error, adminUserStrings.syncFailed)} />
        </div>
      ) : null}
    </>
  )
}

const ProviderId = ({ id }: { readonly id: string | null }) =>
  id === null ? adminUserStrings.none : <span className="num">{id}</span>
