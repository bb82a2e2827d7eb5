import { Check } from 'lucide-react'
import { Badge } from '#/components/ui/badge.tsx'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import type { PaidPlanType, Plan } from '../sign-up/plans.ts'

interface PlanChoiceProps {
  readonly plans: readonly Plan<PaidPlanType>[]
  readonly value: PaidPlanType
  readonly onChange: (type: PaidPlanType) => void
}

/** Radio group of plan cards. */
export function PlanChoice({ plans, value, onChange }: PlanChoiceProps) {
  return (
    <fieldset className="grid gap-x-4 gap-y-5 pt-2 sm:grid-cols-2">
      <legend className="sr-only">{upgradeStrings.choose}</legend>
      {plans.map((plan) => (
        <label
          key={plan.type}
          className="relative block cursor-pointer rounded-card border border-line bg-surface p-4.5 transition-colors duration-90 hover:border-line-strong has-checked:border-primary has-checked:shadow-[inset_0_0_0_1px_var(--primary)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-seal"
        >
          {plan.isRecommended ? (
            <Badge tone="ink" className="absolute -top-3 start-4">
              {upgradeStrings.recommended}
            </Badge>
          ) : null}
          <span className="flex items-center justify-between gap-3">
            <span className="heading text-xl">{plan.name}</span>
            <input
              type="radio"
              name="plan"
              value={plan.type}
              checked={value === plan.type}
              className="size-5 accent-(--primary) outline-none"
              onChange={() => onChange(plan.type)}
            />
          </span>
          <span className="mt-2 flex flex-wrap items-baseline gap-x-1.5">
            <span className="heading-large text-4xl">{plan.price}</span>
            <span className="text-sm text-ink-2">{plan.term}</span>
          </span>
          <span className="mt-3.5 grid gap-2 text-sm">
            {plan.features.map((feature) => (
              <span key={feature} className="flex items-start gap-2.5">
                <Check aria-hidden size={16} strokeWidth={2} className="mt-0.5 shrink-0 text-seal" />
                {feature}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
