const units = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const
const speedUnits = ['B/s', 'KB/s', 'MB/s', 'GB/s', 'TB/s'] as const

function scale(value: number): { scaled: number; step: number } {
  const step = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10))
  return { scaled: value / 1024 ** step, step }
}

/** A size in steps of 1024 with two decimals: `1.50 KB`; whole bytes have no decimals: `12 Bytes`. */
export function formatBytes(byteCount: number): string {
  const { scaled, step } = scale(Math.max(0, byteCount))
  return `${step === 0 ? Math.round(scaled) : scaled.toFixed(2)} ${units[step]}`
}

/** A speed in steps of 1024 with one decimal: `12.4 MB/s`. */
export function formatSpeed(bytesPerSecond: number): string {
  const { scaled, step } = scale(Math.max(0, bytesPerSecond))
  return `${scaled.toFixed(1)} ${speedUnits[step]}`
}

/** A fraction as whole percent; 100 only when it is complete. */
export function formatPercent(fraction: number): string {
  return `${Math.min(100, Math.max(0, Math.floor(fraction * 100)))}%`
}

/** A coarse remaining time in steps: `about 30 s left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 60) return `about ${Math.ceil(seconds / 10) * 10} s left`
  if (seconds < 3600) return `about ${Math.ceil(seconds / 60)} min left`
  return `about ${Math.ceil(seconds / 3600)} h left`
}

/** A duration in the largest unit that divides it: 90 is `90 minutes`, 1440 is `24 hours`. */
export function formatMinutes(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return plural(minutes / 1440, 'day')
  if (minutes % 60 === 0) return plural(minutes / 60, 'hour')
  return plural(minutes, 'minute')
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** An amount in dollars; whole dollars have no cents: `$10`, `$9.50`. */
export function formatDollars(cents: number): string {
  return cents % 100 === 0 ? `$${cents / 100}` : `$${(cents / 100).toFixed(2)}`
}
