const minute = 60
const hour = 60 * minute

/** Formats a duration, rounded up: `1 minute`, `25 minutes`, `3 hours`. */
export function formatWait(seconds: number): string {
  const [count, unit] = seconds <= hour ? [Math.ceil(seconds / minute), 'minute'] : [Math.ceil(seconds / hour), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
