import { licenceLimits } from '@sallyport/contract/limits'

/** What can be had here now. */
export const plans = [
  {
    type: 'trial',
    name: 'Trial',
    monthlyCents: 0,
    storageBytes: licenceLimits.trial.storageBytes,
    trialDays: licenceLimits.trial.days,
  },
  { type: 'personal', name: 'Personal', monthlyCents: 1000, storageBytes: licenceLimits.paid.storageBytes },
] as const
