import type { TableColumn } from '#/components/ui/data-table.tsx'

interface RowCardsProps<Row> {
  readonly label: string
  /** The first one is the title of a card. */
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** The rows of a table on a phone. */
export const RowCards = <Row,>({ label, columns, rows, rowKey }: RowCardsProps<Row>) => (
  <ul aria-label={label} className="divide-y divide-line border-t border-line">
    {rows.map((row) => (
      <li key={rowKey(row)} className="grid gap-2.5 pad-card text-sm">
        <div className="font-semibold wrap-anywhere">{columns[0]?.cell(row)}</div>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-xs">
          {columns.slice(1).map(({ id, header, cell }) => (
            <div key={id} className="min-w-0">
              <dt className="text-ink-3">{header}</dt>
              <dd className="wrap-anywhere">{cell(row)}</dd>
            </div>
          ))}
        </dl>
      </li>
    ))}
  </ul>
)
