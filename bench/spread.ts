export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** The middle of the figures, and how far they go to both sides. */
export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const at = (place: number): number => sorted[place] ?? Number.NaN
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, least: at(0), most: at(sorted.length - 1) }
}

/** The figure that so large a share of all are not above, such as 0.99. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
