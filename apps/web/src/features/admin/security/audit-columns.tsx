import type { AuditRow } from '@sallyport/contract/admin-security'
import { Link } from 'react-router'
import { Name } from '#/components/names/name.tsx'
import { visibleName } from '#/components/names/visible-name.ts'
import { Badge, type Tone } from '#/components/ui/badge.tsx'
import type { TableColumn } from '#/components/ui/data-table.tsx'
import { adminAuditStrings as strings } from '#/strings/admin/audit.ts'
import type { AuditOutcome } from '../admin.queries.ts'
import { TimeAgo } from '../times.tsx'
import { actionText, detailTexts, shortId, subjectText } from './audit-texts.ts'

const tones: Record<AuditOutcome, Tone> = { done: 'seal', refused: 'brass', failed: 'rust' }

export function columnsOfAudit(): TableColumn<AuditRow>[] {
  const { columns } = strings
  return [
    { id: 'action', header: columns.action, className: 'w-3/10 py-2', cell: (row) => <Action row={row} /> },
    { id: 'subject', header: columns.subject, className: nameClass, cell: (row) => <Subject row={row} /> },
    { id: 'actor', header: columns.actor, className: nameClass, cell: (row) => <Actor row={row} /> },
    { id: 'outcome', header: columns.outcome, className: 'py-2', cell: (row) => <Outcome row={row} /> },
    {
      id: 'time',
      header: columns.time,
      align: 'end',
      className: 'whitespace-nowrap text-ink-2',
      cell: ({ at }) => <TimeAgo time={at} />,
    },
  ]
}

/** Divides the width that the other columns leave. */
const nameClass = 'w-1/4 max-w-0 py-2'

interface AuditCellProps {
  readonly row: AuditRow
}

function Action({ row }: AuditCellProps) {
  const details = detailTexts(row)
  return (
    <>
      <span className="block font-semibold">{actionText(row.action)}</span>
      {details.length === 0 ? null : (
        <span className="mt-0.5 block text-xs font-normal text-ink-2">{details.join(' · ')}</span>
      )}
    </>
  )
}

function Actor({ row: { actor } }: AuditCellProps) {
  if (actor.kind === 'command-line' || actor.id === null) return strings.commandLine
  return <Account id={actor.id} email={actor.email} />
}

function Subject({ row: { action, subject } }: AuditCellProps) {
  if (subject === null) return strings.noSubject
  if (subject.email !== null) return <Account {...subject} />
  return <span title={subject.id}>{(subjectText(action) ?? strings.deletedAccount)(shortId(subject.id))}</span>
}

interface AccountProps {
  readonly id: string
  /** Empty for an account that has none, null for a deleted one. */
  readonly email: string | null
}

/** An account, with a link to its page unless it is deleted. */
const Account = ({ id, email }: AccountProps) =>
  email === null ? (
    <span title={id}>{strings.deletedAccount(shortId(id))}</span>
  ) : (
    <Link
      to={`/admin/user/${id}`}
      title={visibleName(email)}
      className="block wrap-anywhere underline decoration-line-strong underline-offset-3 hover:decoration-ink md:w-fit md:max-w-full md:truncate"
    >
      {email === '' ? strings.account(shortId(id)) : <Name>{email}</Name>}
    </Link>
  )

function Outcome({ row: { outcome, details } }: AuditCellProps) {
  const code = details['code']
  return (
    <>
      <Badge tone={tones[outcome]}>{strings.outcomes[outcome]}</Badge>
      {code === undefined ? null : (
        <code className="mt-1 block font-mono text-2xs whitespace-nowrap text-ink-2">
          <Name>{String(code)}</Name>
        </code>
      )}
    </>
  )
}
