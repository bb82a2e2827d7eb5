import { Card, CardHeading } from '#/components/ui/card.tsx'
import { DataTable, type TableColumn } from '#/components/ui/data-table.tsx'
import { EmptyState } from '#/components/ui/empty-state.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { adminSecurityStrings as strings } from '#/strings/admin/security.ts'
import { formatNumber, formatUtcDay } from '#/strings/format.ts'
import type { SecurityFigures } from '../admin.queries.ts'
import { LoadedPeriod } from '../charts/loaded-period.tsx'
import { RowCards } from './row-cards.tsx'

type Network = SecurityFigures['networks'][number]

interface NetworksCardProps {
  readonly query: {
    readonly data: SecurityFigures | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
}

/** The networks that most failed attempts came from, under pseudonyms. */
export const NetworksCard = ({ query }: NetworksCardProps) => (
  <Card aria-labelledby="networks-heading" padded={false}>
    <div className="pad-card">
      <CardHeading id="networks-heading" title={strings.networks} />
      <p className="mt-1 max-w-reading text-sm text-pretty text-ink-2">{strings.networksHint}</p>
    </div>
    <LoadedPeriod
      query={query}
      failed={strings.networksFailed}
      bannerClassName="mx-[var(--card-padding)] mb-4"
      skeleton={<Skeleton className="mx-[var(--card-padding)] mb-4 h-40" />}
    >
      {({ networks }) =>
        networks.length === 0 ? <EmptyState title={strings.noNetworks} /> : <Networks networks={networks} />
      }
    </LoadedPeriod>
  </Card>
)

interface NetworksProps {
  readonly networks: readonly Network[]
}

function Networks({ networks }: NetworksProps) {
  const props = { label: strings.networks, columns: columnsOfNetworks(), rows: networks, rowKey: networkOf }
  return useIsPhone() ? <RowCards {...props} /> : <DataTable {...props} className="mb-1.5" />
}

const networkOf = ({ network }: Network): string => network

function columnsOfNetworks(): TableColumn<Network>[] {
  const { charts, columns } = strings
  const counts = ['failed_sign_ins', 'refused_sign_ins', 'wrong_codes', 'wrong_pins'] as const
  return [
    { id: 'network', header: columns.network, className: 'py-2', cell: NetworkName },
    ...counts.map(
      (key): TableColumn<Network> => ({
        id: key,
        header: charts[key],
        align: 'end',
        cell: (row) => <span className="num">{formatNumber(row[key])}</span>,
      }),
    ),
    {
      id: 'last_day',
      header: columns.last_day,
      align: 'end',
      className: 'whitespace-nowrap text-ink-2',
      cell: (row) => formatUtcDay(row.last_day),
    },
  ]
}

function NetworkName({ network }: Network) {
  if (network === 'other') return strings.other
  if (network !== 'local') return strings.network(network)
  return (
    <>
      <span className="block">{strings.local}</span>
      <span className="mt-0.5 block max-w-80 text-xs font-normal text-ink-3">{strings.localHint}</span>
    </>
  )
}
