import { useId } from 'react'
import { Card } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { landingStrings } from '#/strings/account/landing.ts'
import { type PrivacySummaryEntry, privacySummaryStrings } from '#/strings/account/privacy-summary.ts'

export interface PrivacySummaryProps {
  readonly title?: string
  readonly intro?: string
  readonly rows: readonly PrivacySummaryEntry[]
  /** First bytes of the ciphertext stored on the server, one line per file, in hex. */
  readonly ciphertext?: readonly string[]
  /** Describes which bytes are shown. */
  readonly ciphertextLabel?: string
  readonly className?: string
}

/** Privacy summary: what the server can read, what it stores encrypted, and what is never sent. */
export function PrivacySummary({
  title = landingStrings.serverSees,
  intro,
  rows,
  ciphertext = [],
  ciphertextLabel = privacySummaryStrings.storedBytes,
  className,
}: PrivacySummaryProps) {
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
            <dd className={classNames('font-semibold', row.visibility === 'visible' ? 'text-ink' : 'text-seal')}>
              {privacySummaryStrings[row.visibility]}
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
