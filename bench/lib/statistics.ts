export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Median, minimum and maximum of the figures. */
export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(sorted.length - 1) }
}

/** Nearest-rank percentile; `share` is a fraction such as 0.99. */
export function percentile(figures: readonly number[], fraction: number): number {
  const sorted = figures.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN
}
