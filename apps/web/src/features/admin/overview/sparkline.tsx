import { classNames } from '#/components/ui/class-names.ts'

interface SparklineProps {
  /** Oldest first. */
  readonly values: readonly number[]
  /** The value at the top edge; without one, the highest of the values. */
  readonly top?: number | undefined
  readonly isHigh?: boolean
}

const width = 100
const height = 28
/** How many values there is room for. */
export const sparklinePoints = 20

/** The last values as a line, for the eye only: the value itself is a text next to it. */
export function Sparkline({ values, top, isHigh = false }: SparklineProps) {
  const most = Math.max(top ?? 0, ...values, 1)
  const first = sparklinePoints - values.length
  const points = values.map((value, index) => {
    const x = ((first + index) / (sparklinePoints - 1)) * width
    return `${x.toFixed(2)},${(height - 1 - (value / most) * (height - 2)).toFixed(2)}`
  })
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classNames('mt-2 h-7 w-full overflow-visible', isHigh ? 'text-rust' : 'text-seal')}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
