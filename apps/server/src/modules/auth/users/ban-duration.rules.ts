const unitsMs = { h: 3_600_000, m: 60_000, s: 1000 } as const

/** Returns when a ban of this duration (`24h`, `1h30m`) ends; null for `none`, undefined for an invalid duration. */
export function banEnd(duration: string, now: number): number | null | undefined {
  if (duration === 'none') return null
  if (!/^(\d{1,9}[hms])+$/.test(duration)) return undefined
  const parts = [...duration.matchAll(/(\d+)([hms])/g)]
  return parts.reduce((end, [, amount, unit]) => end + Number(amount) * unitsMs[unit as keyof typeof unitsMs], now)
}
