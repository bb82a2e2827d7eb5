export type TimeBand = 'day' | 'hour' | 'minutes' | 'over'

/** In milliseconds. */
export const minute = 60_000

/** The time that a full ring represents in each band, in milliseconds. */
export const timeScales: Record<TimeBand, number> = {
  day: 24 * 60 * minute,
  hour: 60 * minute,
  minutes: 5 * minute,
  over: minute,
}

/** Chooses the scale for a remaining time: under 5 minutes, under 1 hour, or more. */
export function timeBand(expiresAt: number, now: number): TimeBand {
  const left = expiresAt - now
  if (left <= 0) return 'over'
  if (left < 5 * minute) return 'minutes'
  return left < 60 * minute ? 'hour' : 'day'
}

/** The text colour of a band, for the text next to a ring. */
export const timeBandText: Record<TimeBand, string> = {
  day: 'text-ink-3',
  hour: 'text-brass-ink',
  minutes: 'text-rust',
  over: 'text-rust',
}
