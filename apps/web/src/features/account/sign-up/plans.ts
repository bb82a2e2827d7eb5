import { formatDollars } from '@sallyport/contract/formats'
import { licenceLimits } from '@sallyport/contract/limits'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'

/** The plans that a visitor can pick when signing up. */
export type PickedPlan = 'trial' | 'personal'
export type PaidPlanType = 'personal' | 'business'

/** A plan as its card shows it. */
export interface Plan<Type extends string> {
  readonly type: Type
  readonly name: string
  readonly price: string
  /** What the price is for, such as "per month". */
  readonly term: string
  readonly features: readonly string[]
  readonly isRecommended: boolean
}

interface ConfiguredPlan {
  readonly type: string
  readonly name: string
  readonly monthlyCents: number
  readonly storageBytes: number
  readonly trialDays?: number | undefined
  readonly fewestSeats?: number | undefined
}

const gigabyte = 1024 ** 3

/** Formats the configured plans that a visitor can pick when signing up. */
export const offeredPlans = (plans: readonly ConfiguredPlan[]): readonly Plan<PickedPlan>[] =>
  plans.flatMap((plan) => {
    if (plan.type === 'trial')
      return formatPlan(plan, plan.type, signUpStrings.trialTerm(plan.trialDays ?? 7), signUpStrings.trialFeatures)
    return plan.type === 'personal'
      ? formatPlan(plan, plan.type, upgradeStrings.perMonth, signUpStrings.personalFeatures)
      : []
  })

/** Formats the configured plans that cost something. */
export const paidPlans = (plans: readonly ConfiguredPlan[]): readonly Plan<PaidPlanType>[] =>
  plans.flatMap((plan) => {
    const { features, perMonth, perSeat } = upgradeStrings
    if (plan.type === 'personal') return formatPlan(plan, plan.type, perMonth, features.personal)
    const seats = plan.fewestSeats ?? licenceLimits.fewestSeats
    return plan.type === 'business'
      ? formatPlan(plan, plan.type, perSeat, [features.ownFiles, features.minimumSeats(seats)])
      : []
  })

const formatPlan = <Type extends string>(
  plan: ConfiguredPlan,
  type: Type,
  term: string,
  features: readonly string[],
): Plan<Type> => ({
  type,
  name: plan.name,
  price: formatDollars(plan.monthlyCents),
  term,
  features: [upgradeStrings.features.storage(plan.storageBytes / gigabyte), ...features],
  isRecommended: plan.type === 'personal',
})

export const trialDaysOf = (plans: readonly ConfiguredPlan[]): number =>
  plans.find((plan) => plan.type === 'trial')?.trialDays ?? 7

/** How many seats an organization starts with. */
export const fewestSeatsOf = (plans: readonly ConfiguredPlan[]): number =>
  plans.find(({ type }) => type === 'business')?.fewestSeats ?? licenceLimits.fewestSeats
