import { useId } from 'react'
import { Card } from '#/ui/card.tsx'
import { classNames } from '#/ui/class-names.ts'

export type LedgerStanding = 'sealed' | 'never-sent' | 'visible'

export interface LedgerRow {
  /** What the row is about, such as "Contents". */
  readonly subject: string
  readonly standing: LedgerStanding
}

export interface LedgerProps {
  readonly title?: string
  readonly intro?: string
  readonly rows: readonly LedgerRow[]
  /** First bytes of what really lies on the server, one line each, in hex. */
  readonly ciphertext?: readonly string[]
  /** Says whose bytes they are. */
  readonly ciphertextLabel?: string
  readonly className?: string
}

/** What the server can read, what it only holds, and what never reaches it. */
export function Ledger({
  title = 'What the server sees',
  intro,
  rows,
  ciphertext = [],
  ciphertextLabel = 'The first bytes the server holds',
  className,
}: LedgerProps) {
  const titleId = useId()
  return (
    <Card aria-labelledby={titleId} className={className}>
      <h2 id={titleId} className="heading text-base">
        {title}
      </h2>
      {intro ? <p className="mt-0.5 text-xs text-ink-2">{intro}</p> : null}
      <dl className="mt-3 grid gap-2.5 text-xs">
        {rows.map((row) => (
          <div key={row.subject} className="flex items-baseline justify-between gap-4">
            <dt className="text-ink-2">{row.subject}</dt>
            <dd className={classNames('font-semibold', standings[row.standing].color)}>
              {standings[row.standing].words}
            </dd>
          </div>
        ))}
      </dl>
      {ciphertext.length > 0 ? (
        <figure className="mt-3.5 rounded-segment bg-sunken px-2.5 py-2">
          <figcaption className="sr-only">{ciphertextLabel}</figcaption>
          <pre dir="ltr" className="num overflow-hidden text-[0.6875rem] leading-4.5 text-ink-3">
            {ciphertext.join('\n')}
          </pre>
        </figure>
      ) : null}
    </Card>
  )
}

const standings: Record<LedgerStanding, { readonly words: string; readonly color: string }> = {
  sealed: { words: 'Sealed', color: 'text-seal' },
  'never-sent': { words: 'Never sent', color: 'text-seal' },
  visible: { words: 'Visible', color: 'text-ink' },
}
