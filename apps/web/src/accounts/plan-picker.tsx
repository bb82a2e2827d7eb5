import { useQuery } from '@tanstack/react-query'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { speak } from '#/api/failure.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { signUpWords } from '#/words/sign-up.ts'
import { PlanCard } from './plan-card.tsx'
import { offeredPlans, type PickedPlan } from './plans.ts'

interface PlanPickerProps {
  readonly onPick: (plan: PickedPlan) => void
}

/** The plans that can be had here; each leads to the same form, since every account starts with the trial. */
export function PlanPicker({ onPick }: PlanPickerProps) {
  const { data: config, error, refetch } = useQuery(configQuery(useCall()))

  return (
    <>
      <h1 className="heading-large text-3xl md:text-4xl">{signUpWords.plansTitle}</h1>
      <p className="mt-2 text-base text-ink-2">{signUpWords.plansIntro}</p>
      <div className="mt-7 grid gap-x-4.5 gap-y-5 sm:grid-cols-2">
        {config
          ? offeredPlans(config.plans).map((plan) => (
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
          <Banner
            tone="rust"
            urgent
            className="sm:col-span-2"
            actions={
              <Button size="compact" onClick={() => void refetch()}>
                Retry
              </Button>
            }
          >
            {speak(error, signUpWords.plansFailed)}
          </Banner>
        ) : null}
      </div>
    </>
  )
}
