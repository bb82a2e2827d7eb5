const widestGap = 0.22
/** More bars than this have no gaps, which would be less than a pixel wide. */
const mostGaps = 120
/** So that a day with few events does not look like one without any. */
const lowestBar = 1.5

interface BarsRange {
  readonly counts: readonly number[]
  /** The count of a bar of the full height. */
  readonly top: number
  readonly from: number
  readonly to: number
}

/** Draws some of the bars as one path. Each is 1 wide with its gap, and 100 high if its count is `top`. */
export function barsPath({ counts, top, from, to }: BarsRange): string {
  const gap = counts.length > mostGaps ? 0 : widestGap
  return counts
    .slice(from, to)
    .map((count, index) => {
      if (count === 0) return ''
      const height = Math.max(lowestBar, (count / top) * 100)
      return `M${(from + index + gap / 2).toFixed(2)} 100v${(-height).toFixed(2)}h${1 - gap}v${height.toFixed(2)}z`
    })
    .join('')
}
