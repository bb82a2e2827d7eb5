import { formatMinutes } from '@sallyport/contract/formats'
import { expirationLimits } from '@sallyport/contract/limits'

/** Whether the settings offer this lifetime. */
export const isOffered = (minutes: number): boolean =>
  expirationLimits.offeredMinutes.some((offered) => offered === minutes)

/** The settings page: what is chosen, and what else could be. */
export function presentSettings(minutes: number) {
  return {
    current_expiry_minutes: minutes,
    defaultExpirationMinutes: minutes,
    settings: { defaultExpirationMinutes: minutes },
    expiry_options: {
      minutes: expirationLimits.offeredMinutes.map((value) => ({ label: formatMinutes(value), value })),
    },
  }
}
