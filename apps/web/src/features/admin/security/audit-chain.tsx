import { ShieldCheck } from 'lucide-react'
import { Banner } from '#/components/ui/banner.tsx'
import { adminAuditStrings as strings } from '#/strings/admin/audit.ts'
import { formatDateAndTime, formatNumber } from '#/strings/format.ts'
import type { AuditPage } from '../admin.queries.ts'

/** Whether the last verification found the log as it was written. */
export function AuditChain({ verified }: Pick<AuditPage, 'verified'>) {
  if (verified === null) return <p className="mt-2 text-sm text-ink-3">{strings.unchecked}</p>
  const time = formatDateAndTime(verified.at)
  if (verified.broken_at !== null)
    return (
      <Banner tone="rust" urgent className="mt-3">
        {strings.broken(formatNumber(verified.broken_at), time)}
      </Banner>
    )
  return (
    <p className="mt-2 flex items-center gap-1.5 text-sm font-medium text-seal">
      <ShieldCheck aria-hidden size={16} strokeWidth={2} className="shrink-0" />
      {strings.unbroken(time)}
    </p>
  )
}
