import type { PointerEvent } from 'react'
import { classNames } from '#/components/ui/class-names.ts'
import { chartStrings as strings } from '#/strings/admin/charts.ts'
import { formatUtcDay } from '#/strings/format.ts'
import { axisTicks, type ChartUnit } from './axis-ticks.ts'
import { barsPath } from './bars-path.ts'
import { formatDayCount, formatTick } from './day-texts.ts'
import type { DayCount } from './days-csv.ts'

export type ChartTone = 'seal' | 'brass' | 'ink'

export interface ChartPlotProps {
  readonly title: string
  /** Oldest first. The last one is today. */
  readonly days: readonly DayCount[]
  readonly unit: ChartUnit
  readonly tone: ChartTone
  /** The index of the marked day. */
  readonly cursor: number | null
  readonly onCursor: (cursor: number | null) => void
}

/** Bars by day with their axes. The cursor follows the pointer, and the keys of a slider. */
export function ChartPlot({ title, days, unit, tone, cursor, onCursor }: ChartPlotProps) {
  const highest = Math.max(0, ...days.map(({ count }) => count))
  const ticks = axisTicks(highest, unit)
  const last = days.length - 1
  const current = days[cursor ?? last]

  function followPointer({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * days.length)
    onCursor(Math.min(last, Math.max(0, index)))
  }

  return (
    <div dir="ltr" className="grid grid-cols-[auto_1fr] gap-x-2 text-2xs text-ink-3">
      <div aria-hidden className="-my-2 flex flex-col-reverse justify-between text-end whitespace-nowrap tabular-nums">
        {ticks.map((tick) => (
          <span key={tick}>{formatTick(tick, unit)}</span>
        ))}
      </div>
      <div
        // In one column, a chart without any bar leaves the space to the others.
        className={classNames('relative h-28 touch-pan-y', highest === 0 && 'max-md:h-9')}
        onPointerDown={followPointer}
        onPointerMove={followPointer}
        // The browser scrolls the page instead.
        onPointerCancel={() => onCursor(null)}
        onPointerLeave={({ pointerType }) => (pointerType === 'touch' ? undefined : onCursor(null))}
      >
        <Bars days={days} ticks={ticks} tone={tone} cursor={cursor} />
        {current ? (
          <input
            type="range"
            aria-label={strings.cursor(title)}
            aria-valuetext={formatDayCount(current, unit, current === days[last])}
            min={0}
            max={last}
            value={cursor ?? last}
            onChange={({ target }) => onCursor(target.valueAsNumber)}
            onFocus={() => onCursor(cursor ?? last)}
            onBlur={() => onCursor(null)}
            className={cursorClass}
          />
        ) : null}
      </div>
      <div aria-hidden className="col-start-2 mt-1.5 flex justify-between">
        <span>{formatUtcDay(days[0]?.day ?? '')}</span>
        <span>{formatUtcDay(days[last]?.day ?? '')}</span>
      </div>
    </div>
  )
}

/** The share of the width that marks a day among hundreds. */
const narrowestMark = 0.01

interface BarsProps extends Pick<ChartPlotProps, 'days' | 'tone' | 'cursor'> {
  readonly ticks: readonly number[]
}

function Bars({ days, ticks, tone, cursor }: BarsProps) {
  const counts = days.map(({ count }) => count)
  const top = ticks.at(-1) ?? 1
  const last = counts.length - 1
  const markWidth = Math.max(1, counts.length * narrowestMark)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${counts.length} 100`}
      preserveAspectRatio="none"
      className={classNames('size-full overflow-visible forced-colors:text-[CanvasText]', tones[tone])}
    >
      {ticks.map((tick) => (
        <line
          key={tick}
          x2={counts.length}
          y1={100 - (tick / top) * 100}
          y2={100 - (tick / top) * 100}
          vectorEffect="non-scaling-stroke"
          className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
        />
      ))}
      <path d={barsPath({ counts, top, from: 0, to: last })} fill="currentColor" />
      <path d={barsPath({ counts, top, from: last, to: counts.length })} fill="currentColor" fillOpacity={0.45} />
      {cursor === null ? null : (
        <rect
          x={cursor + (1 - markWidth) / 2}
          width={markWidth}
          height={100}
          className="fill-ink/15 forced-colors:fill-[Highlight] forced-colors:opacity-60"
        />
      )}
    </svg>
  )
}

/** Covers the plot, so that its focus ring surrounds it, and leaves the pointer to it. */
const cursorClass =
  'pointer-events-none absolute inset-0 m-0 size-full appearance-none rounded-segment bg-transparent ' +
  '[&::-webkit-slider-thumb]:size-0 [&::-webkit-slider-thumb]:appearance-none ' +
  '[&::-moz-range-thumb]:size-0 [&::-moz-range-thumb]:border-0 [&::-moz-range-track]:bg-transparent'

const tones: Record<ChartTone, string> = { seal: 'text-seal-fill', brass: 'text-brass', ink: 'text-ink-2' }
