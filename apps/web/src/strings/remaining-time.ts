import { formatBytes } from '@sallyport/contract/formats'
import { area } from './area.ts'

const remainingStrings = area('remaining', {
  expired: 'Expired',
  remaining: (hours: number, minutes: number) => `${hours}h ${minutes}m remaining`,
  moved: (moved: string, total: string) => `${moved} of ${total}`,
  fewSeconds: 'a few seconds left',
  seconds: (count: number) => `about ${count} s left`,
  minutes: (count: number) => `about ${count} min left`,
  hours: (count: number) => `about ${count} h left`,
})

/** The time until `expiresAt` (both epoch ms): `2h 5m remaining`, or `Expired` from that instant on. */
export const formatRemaining = (expiresAt: number, now: number): string =>
  expiresAt <= now ? remainingStrings.expired : remainingStrings.remaining(...hoursAndMinutes(expiresAt - now))

export function hoursAndMinutes(milliseconds: number): [hours: number, minutes: number] {
  const minutes = Math.floor(milliseconds / 60_000)
  return [Math.floor(minutes / 60), minutes % 60]
}

/** A coarse remaining time in steps: `about 30 s left`. Other strings have the units in full. */
export function formatTimeLeft(
  seconds: number,
  strings: Omit<typeof remainingStrings, 'remaining' | 'expired' | 'moved'> = remainingStrings,
): string {
  if (seconds < 5) return strings.fewSeconds
  if (seconds < 60) return strings.seconds(Math.ceil(seconds / 10) * 10)
  return seconds < 3600 ? strings.minutes(Math.ceil(seconds / 60)) : strings.hours(Math.ceil(seconds / 3600))
}

/** What has moved of a file: `8.00 MB of 16.00 MB`. */
export const formatMoved = (movedBytes: number, totalBytes: number): string =>
  remainingStrings.moved(formatBytes(movedBytes), formatBytes(totalBytes))
