const second = 1000
const steps = [
  ['day', 86_400 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
] as const

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })
const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

/** How long ago something was, in the largest unit that fits it: `just now`, `5 minutes ago`, `yesterday`. */
export function sayAgo(time: number, now: number): string {
  const ago = Math.max(0, now - time)
  for (const [unit, length] of steps) if (ago >= length) return relative.format(-Math.floor(ago / length), unit)
  return 'just now'
}

export const sayDate = (time: number): string => calendar.format(time)
