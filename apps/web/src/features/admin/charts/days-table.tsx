import { chartStrings as strings } from '#/strings/admin/charts.ts'
import { formatUtcDay } from '#/strings/format.ts'
import type { ChartUnit } from './axis-ticks.ts'
import { formatCount } from './day-texts.ts'
import type { DayCount } from './days-csv.ts'

interface DaysTableProps {
  readonly title: string
  /** Oldest first. The last one is today. */
  readonly days: readonly DayCount[]
  readonly unit: ChartUnit
}

/** The days of a chart as a table, the newest first. It scrolls in the space of the chart. */
export const DaysTable = ({ title, days, unit }: DaysTableProps) => (
  <section
    aria-label={strings.cursor(title)}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    tabIndex={0}
    className="h-33.5 overflow-y-auto rounded-segment"
  >
    <table aria-label={strings.cursor(title)} className="w-full text-xs">
      <thead className="sticky top-0 bg-sunken text-2xs text-ink-2">
        <tr>
          <th scope="col" className="px-2 py-1 text-start font-semibold">
            {strings.day}
          </th>
          <th scope="col" className="px-2 py-1 text-end font-semibold">
            {title}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {days.toReversed().map(({ day, count }, index) => (
          <tr key={day}>
            <th scope="row" className="px-2 py-1.5 text-start font-normal text-ink-2">
              {formatUtcDay(day)}
            </th>
            <td className="num px-2 py-1.5 text-end">
              {index === 0 ? strings.soFar(formatCount(count, unit)) : formatCount(count, unit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
