import { area } from './area.ts'
import { formatUnitsAgo, plural } from './format.ts'
import { formatTimeLeft, hoursAndMinutes } from './remaining-time.ts'

const durationStrings = area('durations', {
  expired: 'Expired',
  expiresIn: (hours: number, minutes: number) => `Expires in ${hours}h ${minutes}m`,

  spoken: {
    fewSeconds: 'a few seconds left',
    seconds: (count: number) => `about ${count} seconds left`,
    minutes: (count: number) => `about ${count} minutes left`,
    hours: (count: number) => `about ${count} hours left`,
  },

  goneInSeconds: (seconds: number) => `Gone in ${seconds} s`,
  goneInMinutes: (minutes: number) => `Gone in ${minutes} min`,
  goneInHours: (hours: number) => `Gone in ${hours} h`,
  goneInHoursMinutes: (hours: number, minutes: number) => `Gone in ${hours} h ${minutes} min`,
  goneInDays: (days: number) => `Gone in ${days} d`,
  goneInDaysHours: (days: number, hours: number) => `Gone in ${days} d ${hours} h`,

  minutes: (count: number) => plural(count, { one: '1 minute', other: `${count} minutes` }),
  hours: (count: number) => plural(count, { one: '1 hour', other: `${count} hours` }),
  days: (count: number) => plural(count, { one: '1 day', other: `${count} days` }),
  justNow: 'just now',
})

/** The time until `expiresAt` as a sentence: `Expires in 2h 5m`, or `Expired` from that instant on. */
export const formatExpiresIn = (expiresAt: number, now: number): string =>
  expiresAt <= now ? durationStrings.expired : durationStrings.expiresIn(...hoursAndMinutes(expiresAt - now))

/** The remaining time with the units in full, for screen readers: `about 30 seconds left`. */
export const spellTimeLeft = (seconds: number): string => formatTimeLeft(seconds, durationStrings.spoken)

/** The time until something expires, in seconds during the last minute: `Gone in 5 h 10 min`, `Gone in 42 s`. */
export function formatGoneIn(expiresAt: number, now: number): string {
  const strings = durationStrings
  const remaining = Math.max(0, expiresAt - now)
  if (remaining <= 60_000) return strings.goneInSeconds(Math.ceil(remaining / 1000))
  const minutes = Math.ceil(remaining / 60_000)
  if (minutes < 60) return strings.goneInMinutes(minutes)
  const hours = Math.floor(minutes / 60)
  if (hours < 48) {
    return minutes % 60 === 0 ? strings.goneInHours(hours) : strings.goneInHoursMinutes(hours, minutes % 60)
  }
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? strings.goneInDays(days) : strings.goneInDaysHours(days, hours % 24)
}

/** A duration in the largest unit that divides it: 90 is `90 minutes`, 1440 is `24 hours`. */
export function formatMinutes(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return durationStrings.days(minutes / 1440)
  return minutes % 60 === 0 ? durationStrings.hours(minutes / 60) : durationStrings.minutes(minutes)
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A past time relative to now in the largest unit that fits: `just now`, `5 minutes ago`, `yesterday`. */
export function formatAgo(time: number, now: number): string {
  const ago = Math.max(0, now - time)
  for (const [unit, length] of units) if (ago >= length) return formatUnitsAgo(Math.floor(ago / length), unit)
  return durationStrings.justNow
}

/** The time left of a countdown: `1:05`. */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
