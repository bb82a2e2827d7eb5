import { formatDollars } from '@sallyport/contract/formats'

/** The plans a visitor can start with today. */
export type PickedPlan = 'trial' | 'personal'

export interface OfferedPlan {
  readonly type: PickedPlan
  readonly name: string
  readonly price: string
  /** What the price is for, such as "per month". */
  readonly term: string
  readonly features: readonly string[]
  readonly isRecommended: boolean
  readonly pickLabel: string
}

interface ConfiguredPlan {
  readonly type: string
  readonly name: string
  readonly monthlyCents: number
  readonly storageBytes: number
  readonly trialDays?: number | undefined
}

const gigabyte = 1024 ** 3

/** What the cards say, from what the server has configured. Plans that cannot be had yet are not shown. */
export function offeredPlans(plans: readonly ConfiguredPlan[]): readonly OfferedPlan[] {
  return plans.flatMap((plan) => {
    const storage = `${plan.storageBytes / gigabyte} GB storage`
    const price = formatDollars(plan.monthlyCents)
    if (plan.type === 'trial') {
      return {
        type: plan.type,
        name: plan.name,
        price,
        term: `for ${plan.trialDays ?? 7} days`,
        features: [storage, 'No card needed', 'Advanced encryption', 'Share links'],
        isRecommended: false,
        pickLabel: 'Start trial',
      }
    }
    if (plan.type !== 'personal') return []
    return {
      type: plan.type,
      name: plan.name,
      price,
      term: 'per month',
      features: [storage, 'Priority support', 'Advanced encryption', 'Share links'],
      isRecommended: true,
      pickLabel: `Choose ${plan.name}`,
    }
  })
}

export const trialDaysOf = (plans: readonly ConfiguredPlan[]): number =>
  plans.find((plan) => plan.type === 'trial')?.trialDays ?? 7
