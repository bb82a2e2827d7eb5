import type { CSSProperties } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { Seal } from './seal.tsx'

const width = 480
const outerRadius = 210
const spacing = 26
const archCount = 7

interface ArchLinesProps {
  /** The lines spread and the inner gate fills, used while files are dragged over the drop zone. */
  readonly open?: boolean
  /** The inner gate is filled. */
  readonly filled?: boolean
  /** Height of the straight part, in the units in which the outer gate is 420 wide. */
  readonly legs?: number
  readonly className?: string
}

/** Decoration: concentric arches on a ground line. */
export function ArchLines({ open = false, filled = false, legs = 210, className }: ArchLinesProps) {
  const height = outerRadius + legs
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMax meet"
      data-open={open || undefined}
      data-filled={filled || undefined}
      className={classNames('arch-lines', className)}
    >
      {Array.from({ length: archCount }, (_, index) => index).map((index) => {
        const isInner = index === archCount - 1
        const order = { '--order': archCount - 1 - index, '--opacity': 0.12 + index * 0.055 } as CSSProperties
        return (
          <g key={index} style={order}>
            <path className={isInner ? 'arch arch-inner' : 'arch'} d={archPath(index, height)} />
            <path className="arch-drawn" pathLength="1" d={archPath(index, height)} />
          </g>
        )
      })}
      <path className="arch-ground" d={`M0 ${height - 0.6}H${width}`} />
    </svg>
  )
}

function archPath(index: number, height: number): string {
  const radius = outerRadius - spacing * index
  const start = width / 2 - radius
  return `M${start} ${height}V${outerRadius + 1}a${radius} ${radius} 0 0 1 ${radius * 2} 0V${height}`
}

/** The landing page illustration: the arches with a closed seal in front. */
export function HeroArches() {
  return (
    <div aria-hidden="true" className="relative grid justify-items-center">
      <ArchLines filled className="h-auto w-full" />
      <Seal state="sealed" size={72} className="absolute bottom-[11%]" />
    </div>
  )
}
