import { formatDollars } from '@sallyport/contract/formats'
import { licenceLimits } from '@sallyport/contract/limits'
import { upgradeWords } from '#/words/upgrade.ts'

export type PaidPlanType = 'personal' | 'business'

export interface PaidPlan {
  readonly type: PaidPlanType
  readonly name: string
  readonly price: string
  readonly term: string
  readonly features: readonly string[]
  readonly isRecommended: boolean
}

interface ConfiguredPlan {
  readonly type: string
  readonly name: string
  readonly monthlyCents: number
  readonly storageBytes: number
  readonly fewestSeats?: number | undefined
}

const gigabyte = 1024 ** 3

/** The plans that cost something, as the server has them. */
export function paidPlans(plans: readonly ConfiguredPlan[]): readonly PaidPlan[] {
  return plans.flatMap((plan) => {
    const { features, perMonth, perSeat } = upgradeWords
    const shared = {
      name: plan.name,
      price: formatDollars(plan.monthlyCents),
      isRecommended: plan.type === 'personal',
    }
    const storage = features.storage(plan.storageBytes / gigabyte)
    if (plan.type === 'personal') {
      return { ...shared, type: plan.type, term: perMonth, features: [storage, ...features.personal] }
    }
    if (plan.type !== 'business') return []
    const seats = plan.fewestSeats ?? licenceLimits.fewestSeats
    return { ...shared, type: plan.type, term: perSeat, features: [storage, ...features.business(seats)] }
  })
}
