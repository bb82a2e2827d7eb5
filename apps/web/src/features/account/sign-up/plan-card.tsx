import { Check } from 'lucide-react'
import { useId } from 'react'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import type { PickedPlan, Plan } from './plans.ts'

interface PlanCardProps {
  readonly plan: Plan<PickedPlan>
  readonly onPick: () => void
}

export function PlanCard({ plan, onPick }: PlanCardProps) {
  const titleId = useId()
  return (
    <Card
      aria-labelledby={titleId}
      depth={plan.isRecommended ? 'float' : 'rest'}
      className={classNames('relative flex flex-col p-4.5!', plan.isRecommended && 'border-primary!')}
    >
      {plan.isRecommended ? (
        <Badge tone="ink" className="absolute -top-3 start-5">
          {signUpStrings.recommended}
        </Badge>
      ) : null}
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={titleId} className="heading text-xl">
          {plan.name}
        </h3>
        <p className="flex items-baseline gap-1">
          <span className="heading-large text-2xl">{plan.price}</span>
          <span className="text-sm text-ink-2">{plan.term}</span>
        </p>
      </div>
      <ul className="mt-3 mb-4 grid gap-2 text-sm">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-center gap-3">
            <Check aria-hidden size={16} strokeWidth={2} className="text-seal" />
            {feature}
          </li>
        ))}
      </ul>
      <Button fullWidth variant={plan.isRecommended ? 'primary' : 'secondary'} className="mt-auto" onClick={onPick}>
        {plan.type === 'trial' ? signUpStrings.startTrial : signUpStrings.choosePlan(plan.name)}
      </Button>
    </Card>
  )
}
