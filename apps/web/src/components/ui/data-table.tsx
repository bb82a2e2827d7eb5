import { ChevronsUpDown, MoveDown, MoveUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'

interface TableSort<Key extends string> {
  readonly key: Key
  readonly order: 'asc' | 'desc'
}

export interface TableColumn<Row, Key extends string = never> {
  readonly id: string
  readonly header: string
  /** Shows the header to screen readers only. */
  readonly hideHeader?: boolean
  /** `end` for figures. */
  readonly align?: 'start' | 'end'
  /** The key to sort by; without it the header is no button. */
  readonly sortKey?: Key
  readonly cell: (row: Row) => ReactNode
  /** Classes of the cells. */
  readonly className?: string
}

interface DataTableProps<Row, Key extends string> {
  readonly label: string
  /** The first one names the row. */
  readonly columns: readonly TableColumn<Row, Key>[]
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  readonly sort?: TableSort<Key> | undefined
  readonly onSort?: ((key: Key) => void) | undefined
  readonly className?: string
}

const placeholderRows = Array.from({ length: 8 }, (_, index) => `placeholder ${index}`)

/** A table whose headers stay below the bar and sort the rows. The caller has the rows in the order to show. */
export function DataTable<Row, Key extends string = never>(props: DataTableProps<Row, Key>) {
  const { label, columns, rows, rowKey, sort, onSort, className } = props
  return (
    <table aria-label={label} aria-busy={rows === undefined} className={classNames('w-full text-sm', className)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <ColumnHeader key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={rowKey(row)} className="border-t border-line">
            {columns.map((column, index) => (
              <Cell key={column.id} column={column} isRowHeader={index === 0}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
        {rows === undefined
          ? placeholderRows.map((row) => (
              <tr key={row} className="border-t border-line">
                {columns.map((column) => (
                  <Cell key={column.id} column={column} isRowHeader={false}>
                    <Skeleton className="my-1.5 h-4 w-full min-w-8" />
                  </Cell>
                ))}
              </tr>
            ))
          : null}
      </tbody>
    </table>
  )
}

interface ColumnHeaderProps<Row, Key extends string> extends Pick<DataTableProps<Row, Key>, 'sort' | 'onSort'> {
  readonly column: TableColumn<Row, Key>
}

function ColumnHeader<Row, Key extends string>({ column, sort, onSort }: ColumnHeaderProps<Row, Key>) {
  const { header, sortKey, hideHeader, align } = column
  const order = sort && sort.key === sortKey ? sort.order : null
  const isSortable = sortKey !== undefined && onSort !== undefined
  return (
    <th
      scope="col"
      aria-sort={isSortable ? ariaSort[order ?? 'none'] : undefined}
      className={classNames(
        'sticky top-14 z-10 h-9 bg-sunken px-2 text-2xs font-semibold whitespace-nowrap text-ink-2 first:ps-4.5! last:pe-3! rail:px-3',
        align === 'end' ? 'text-end' : 'text-start',
      )}
    >
      {isSortable ? (
        <button
          type="button"
          className={classNames(
            '-mx-1.5 inline-flex h-8 items-center gap-1 rounded-segment px-1.5 font-semibold hover:text-ink',
            order === null ? null : 'text-ink',
            align === 'end' && 'flex-row-reverse',
          )}
          onClick={() => onSort(sortKey)}
        >
          {header}
          <SortIcon order={order} />
        </button>
      ) : (
        <span className={hideHeader ? 'sr-only' : undefined}>{header}</span>
      )}
    </th>
  )
}

function SortIcon({ order }: { readonly order: TableSort<string>['order'] | null }) {
  const Icon = order === null ? ChevronsUpDown : sortIcons[order]
  return <Icon aria-hidden size={13} strokeWidth={2.25} className={order === null ? 'text-ink-3' : undefined} />
}

interface CellProps<Row, Key extends string> {
  readonly column: TableColumn<Row, Key>
  readonly isRowHeader: boolean
  readonly children: ReactNode
}

function Cell<Row, Key extends string>({ column, isRowHeader, children }: CellProps<Row, Key>) {
  const className = classNames(
    'h-11.75 px-2 font-normal first:ps-4.5! last:pe-3! rail:px-3',
    column.align === 'end' ? 'text-end' : 'text-start',
    column.className,
  )
  return isRowHeader ? (
    <th scope="row" className={className}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const
const sortIcons = { asc: MoveUp, desc: MoveDown } as const
