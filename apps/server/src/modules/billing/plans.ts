import { licenceLimits } from '@sallyport/contract/limits'

const paidPlans = [
  {
    type: 'personal',
    name: 'Personal',
    monthlyCents: licenceLimits.paid.personalCents,
    storageBytes: licenceLimits.paid.storageBytes,
  },
  {
    type: 'business',
    name: 'Business',
    monthlyCents: licenceLimits.paid.seatCents,
    storageBytes: licenceLimits.paid.storageBytes,
    fewestSeats: licenceLimits.fewestSeats,
  },
] as const

interface TrialTerms {
  readonly storageBytes: number
  /** Null where new accounts never end. */
  readonly days: number | null
}

/** The available plans and their prices; none where new accounts never end, because nobody needs another plan there. */
export function offeredPlans({ storageBytes, days }: TrialTerms) {
  if (days === null) return []
  return [{ type: 'trial' as const, name: 'Trial', monthlyCents: 0, storageBytes, trialDays: days }, ...paidPlans]
}
