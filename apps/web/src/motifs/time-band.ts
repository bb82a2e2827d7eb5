export type TimeBand = 'day' | 'hour' | 'minutes' | 'over'

/** In milliseconds. */
export const minute = 60_000

/** How long a full ring is in each band, in milliseconds. */
export const timeScales: Record<TimeBand, number> = {
  day: 24 * 60 * minute,
  hour: 60 * minute,
  minutes: 5 * minute,
  over: minute,
}

/** Which scale a remaining time is read on: under five minutes, under an hour, or more. */
export function timeBand(expiresAt: number, now: number): TimeBand {
  const left = expiresAt - now
  if (left <= 0) return 'over'
  if (left < 5 * minute) return 'minutes'
  return left < 60 * minute ? 'hour' : 'day'
}

/** The colour that goes with a band, for the words beside a ring. */
export const timeBandText: Record<TimeBand, string> = {
  day: 'text-ink-3',
  hour: 'text-brass-ink',
  minutes: 'text-rust',
  over: 'text-rust',
}
