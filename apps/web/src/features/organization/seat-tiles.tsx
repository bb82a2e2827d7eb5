import { formatPrice } from '#/lib/format-price.ts'
import { formatNumber } from '#/strings/format.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import type { Organization } from './organization.queries.ts'

/** How many seats there are, how many are used, and what they cost. */
export function SeatTiles({ organization }: { readonly organization: Organization }) {
  const { total_seats, used_seats, available_seats, monthly_cost_cents, seat_cents, granted_seats } = organization
  const strings = organizationStrings.tiles
  const isGranted = monthly_cost_cents === 0 && granted_seats > 0
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      <Tile label={strings.total} value={formatNumber(total_seats)} />
      <Tile label={strings.used} value={formatNumber(used_seats)} />
      <Tile label={strings.available} value={formatNumber(available_seats)} />
      <Tile
        label={strings.cost}
        value={isGranted ? strings.granted : formatPrice(monthly_cost_cents)}
        detail={isGranted ? undefined : strings.perSeat(formatPrice(seat_cents))}
      />
    </dl>
  )
}

interface TileProps {
  readonly label: string
  readonly value: string
  readonly detail?: string | undefined
}

const Tile = ({ label, value, detail }: TileProps) => (
  <div className="rounded-card border border-line bg-surface p-4">
    <dt className="text-xs text-ink-2">{label}</dt>
    <dd className="mt-1 flex flex-wrap items-baseline gap-x-2">
      <span className="num heading-large text-3xl">{value}</span>
      {detail ? <span className="text-xs text-ink-3">{detail}</span> : null}
    </dd>
  </div>
)
