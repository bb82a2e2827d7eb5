import type { UserDetail } from '@sallyport/contract/admin'
import { formatBytes } from '@sallyport/contract/formats'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { ProgressBar } from '#/components/ui/progress-bar.tsx'
import { adminUserStrings } from '#/strings/admin/user.ts'
import { formatNumber } from '#/strings/format.ts'
import { OptionalDate, TimeAgo } from '../times.tsx'
import { Detail, DetailList } from './detail-list.tsx'

/** Above this share the bar warns that space is running out. */
const nearlyFullFrom = 0.8

export function AccountCard({ detail: { user, stats } }: { readonly detail: UserDetail }) {
  return (
    <Card aria-labelledby="account-heading">
      <CardHeading id="account-heading" title={adminUserStrings.account} />
      <Storage usedBytes={user.storage_used_bytes} limitBytes={user.storage_limit_bytes} />
      <DetailList>
        <Detail label={adminUserStrings.memberSince}>
          <OptionalDate time={user.created_at} />
        </Detail>
        <Detail label={adminUserStrings.verified}>
          <OptionalDate time={user.email_verified_at} />
        </Detail>
        <Detail label={adminUserStrings.lastActivity}>
          {stats.isOnline ? adminUserStrings.online : <TimeAgo time={stats.lastActivity} />}
        </Detail>
        <Detail label={adminUserStrings.secondFactor}>
          {user.has_second_factor ? adminUserStrings.on : adminUserStrings.off}
        </Detail>
        <Detail label={adminUserStrings.devices}>
          <span className="num">{formatNumber(user.auth_sessions)}</span>
        </Detail>
      </DetailList>
    </Card>
  )
}

interface StorageProps {
  readonly usedBytes: number
  readonly limitBytes: number
}

function Storage({ usedBytes, limitBytes }: StorageProps) {
  const share = limitBytes > 0 ? usedBytes / limitBytes : 0
  const text = adminUserStrings.usage(formatBytes(usedBytes), formatBytes(limitBytes))
  return (
    <div className="mt-3 mb-2">
      <p className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="text-ink-2">{adminUserStrings.storage}</span>
        <span className="num font-medium">{text}</span>
      </p>
      <ProgressBar
        label={adminUserStrings.storage}
        value={share}
        valueText={text}
        tone={share > nearlyFullFrom ? 'rust' : 'ink'}
      />
    </div>
  )
}
