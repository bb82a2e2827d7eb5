import { formatDollars } from '@sallyport/contract/formats'
import { licenceLimits } from '@sallyport/contract/limits'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'

/** The plans that a visitor can pick when signing up. */
export type PaidPlanType = 'personal' | 'business'
export type PickedPlan = 'trial' | PaidPlanType

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

export interface ConfiguredPlan {
  readonly type: string
  readonly name: string
  readonly monthlyCents: number
  readonly storageBytes: number
  readonly trialDays?: number | undefined
  readonly fewestSeats?: number | undefined
}

const gigabyte = 1024 ** 3

/** Formats the configured plans that a visitor can pick when signing up; seats only where they can be paid for. */
export const offeredPlans = (plans: readonly ConfiguredPlan[], canPay: boolean): readonly Plan<PickedPlan>[] =>
  plans.flatMap((plan) => {
    if (plan.type === 'trial')
      return formatPlan(plan, plan.type, signUpStrings.trialTerm(plan.trialDays ?? 7), signUpStrings.trialFeatures)
    if (plan.type === 'personal')
      return formatPlan(plan, plan.type, upgradeStrings.perMonth, signUpStrings.personalFeatures)
    return plan.type === 'business' && canPay ? formatSeats(plan, plan.type) : []
  })

/** Formats the configured plans that cost something. */
export const paidPlans = (plans: readonly ConfiguredPlan[]): readonly Plan<PaidPlanType>[] =>
  plans.flatMap((plan) => {
    const { features, perMonth } = upgradeStrings
    if (plan.type === 'personal') return formatPlan(plan, plan.type, perMonth, features.personal)
    return plan.type === 'business' ? formatSeats(plan, plan.type) : []
  })

function formatSeats(plan: ConfiguredPlan, type: 'business'): Plan<'business'> {
  const { features, perSeat } = upgradeStrings
  const seats = plan.fewestSeats ?? licenceLimits.fewestSeats
  return {
    ...formatPlan(plan, type, perSeat, []),
    features: [features.storagePerSeat(plan.storageBytes / gigabyte), features.ownFiles, features.minimumSeats(seats)],
  }
}

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

/** US cents per month for one seat. */
export const seatCentsOf = (plans: readonly ConfiguredPlan[]): number =>
  plans.find(({ type }) => type === 'business')?.monthlyCents ?? licenceLimits.paid.seatCents
