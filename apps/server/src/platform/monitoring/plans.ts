import { licenceLimits } from '@sallyport/contract/limits'

/** The available plans and their prices. */
export const plans = [
  {
    type: 'trial',
    name: 'Trial',
    monthlyCents: 0,
    storageBytes: licenceLimits.trial.storageBytes,
    trialDays: licenceLimits.trial.days,
  },
  { type: 'personal', name: 'Personal', monthlyCents: 1000, storageBytes: licenceLimits.paid.storageBytes },
  {
    type: 'business',
    name: 'Business',
    monthlyCents: 800,
    storageBytes: licenceLimits.paid.storageBytes,
    fewestSeats: licenceLimits.fewestSeats,
  },
] as const
