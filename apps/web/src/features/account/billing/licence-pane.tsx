import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button, TextButton } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { subscriptionQuery, userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { licenceNames } from '#/strings/files.ts'
import { formatDate } from '#/strings/format.ts'
import { ClaimKeyForm } from './claim-key-form.tsx'
import { Detail } from './detail.tsx'
import { SeatDetails } from './seat-details.tsx'
import { SubscriptionPane } from './subscription-pane.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'

/** Shows the plan of the account: a subscription that can be cancelled, or a licence with its expiry and an upgrade. */
export function LicencePane() {
  const call = useCall()
  const user = useQuery(userInfoQuery(call))
  const { data: config } = useQuery(configQuery(call))
  const canPay = config?.features.payments === true
  const subscription = useQuery({ ...subscriptionQuery(call), enabled: canPay })
  const isRunning = subscription.data?.status === 'active' || subscription.data?.status === 'past_due'
  const isSubscriber = isRunning && user.data?.license_type === 'personal'
  const hasPlans = config?.plans.length !== 0
  return (
    <Card aria-labelledby="licence-heading">
      {user.data && subscription.data && isSubscriber ? (
        <SubscriptionPane user={user.data} subscription={subscription.data} />
      ) : (
        <>
          <LicenceHeading hasPlans={hasPlans} isOnTrial={user.data?.license_type === 'trial'} />
          <Loaded
            query={user}
            isLoading={canPay && subscription.isPending}
            failed={upgradeStrings.licenceFailed}
            skeletonClassName="h-10"
            className="mt-3"
          >
            {(data) => (
              <>
                <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-3">
                  {hasPlans ? <Detail label={upgradeStrings.licence} value={licenceNames[data.license_type]} /> : null}
                  <Detail
                    label={upgradeStrings.storage}
                    value={upgradeStrings.usage(
                      formatBytes(data.storage_used_bytes),
                      formatBytes(data.storage_limit_bytes),
                    )}
                  />
                  {hasPlans ? (
                    <Detail label={upgradeStrings.ends} value={formatExpiry(data.license_expires_at)} />
                  ) : null}
                </dl>
                {subscription.data?.status === 'canceled' && data.license_type === 'trial' ? (
                  <p className="mt-3 text-sm text-ink-2">
                    {subscriptionStrings.afterPlan(
                      formatBytes(data.storage_limit_bytes),
                      formatExpiry(data.license_expires_at),
                    )}
                  </p>
                ) : null}
              </>
            )}
          </Loaded>
        </>
      )}
      {subscription.error && !subscription.data ? (
        <RetryBanner onRetry={() => void subscription.refetch()} className="mt-3">
          {messageFor(subscription.error, subscriptionStrings.failed)}
        </RetryBanner>
      ) : null}
      <SeatDetails />
      <LicenceKey />
    </Card>
  )
}

interface LicenceHeadingProps {
  readonly hasPlans: boolean
  readonly isOnTrial: boolean
}

function LicenceHeading({ hasPlans, isOnTrial }: LicenceHeadingProps) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <CardHeading
        id="licence-heading"
        title={hasPlans ? upgradeStrings.licenceHeading : upgradeStrings.storageHeading}
      >
        {hasPlans && isOnTrial ? (
          <Button size="compact" onClick={() => setChoosing(true)}>
            {upgradeStrings.upgradeShort}
          </Button>
        ) : null}
      </CardHeading>
      <UpgradeDialog
        open={isChoosing}
        isTrialOver={false}
        message={null}
        onClose={() => setChoosing(false)}
        onSignOut={null}
      />
    </>
  )
}

function LicenceKey() {
  const [isEntering, setEntering] = useState(false)
  if (isEntering) return <ClaimKeyForm onClaimed={() => setEntering(false)} />
  return (
    <TextButton className="mt-3 block" onClick={() => setEntering(true)}>
      {upgradeStrings.enterKey}
    </TextButton>
  )
}

const formatExpiry = (endsAt: number | null): string =>
  endsAt === null ? upgradeStrings.endsNever : formatDate(endsAt)
