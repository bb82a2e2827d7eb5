import { useQuery } from '@tanstack/react-query'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { PlanCard } from './plan-card.tsx'
import { offeredPlans, type PickedPlan } from './plans.ts'

interface PlanPickerProps {
  readonly onPick: (plan: PickedPlan) => void
}

/** The available plans. The paid one for a person starts with the trial, too. */
export function PlanPicker({ onPick }: PlanPickerProps) {
  const { data: config, error, refetch } = useQuery(configQuery(useCall()))

  return (
    <>
      <h2 className="heading text-2xl">{signUpStrings.plansTitle}</h2>
      <p className="mt-1.5 text-sm text-ink-2">{signUpStrings.plansIntro}</p>
      <div className="mt-6 grid gap-5">
        {config
          ? offeredPlans(config.plans, config.features.payments === true).map((plan) => (
              <PlanCard key={plan.type} plan={plan} onPick={() => onPick(plan.type)} />
            ))
          : null}
        {config === undefined && error === null ? (
          <>
            <Skeleton className="h-72 rounded-card!" />
            <Skeleton className="h-72 rounded-card!" />
          </>
        ) : null}
        {config === undefined && error !== null ? (
          <RetryBanner onRetry={() => void refetch()}>{messageFor(error, signUpStrings.plansFailed)}</RetryBanner>
        ) : null}
      </div>
    </>
  )
}
