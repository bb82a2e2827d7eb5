import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { userInfoQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { licenceNames } from '#/words/files.ts'
import { upgradeWords } from '#/words/upgrade.ts'
import { UpgradeDialog } from './upgrade-dialog.tsx'

/** Which licence the account holds, until when, and how much of its room is used; the way to a larger one from a trial. */
export function LicencePane() {
  const { data: user, error, refetch } = useQuery(userInfoQuery(useCall()))
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Card aria-labelledby="licence-heading">
      <CardHeading id="licence-heading" title={upgradeWords.licenceHeading}>
        {user?.license_type === 'trial' ? (
          <Button size="compact" onClick={() => setChoosing(true)}>
            {upgradeWords.upgradeShort}
          </Button>
        ) : null}
      </CardHeading>
      {user ? (
        <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-3">
          <Fact name={upgradeWords.licence} value={licenceNames[user.license_type]} />
          <Fact name={upgradeWords.storage} value={usage(user.storage_used_bytes, user.storage_limit_bytes)} />
          <Fact name={upgradeWords.ends} value={sayEnd(user.license_expires_at)} />
        </dl>
      ) : null}
      {!user && !error ? <Skeleton className="mt-3 h-10" /> : null}
      {!user && error ? (
        <RetryBanner label={upgradeWords.retry} onRetry={() => void refetch()} className="mt-3">
          {speak(error, upgradeWords.licenceFailed)}
        </RetryBanner>
      ) : null}
      <UpgradeDialog
        open={isChoosing}
        isTrialOver={false}
        message={null}
        onClose={() => setChoosing(false)}
        onSignOut={null}
      />
    </Card>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

const usage = (used: number, limit: number): string => upgradeWords.usage(formatBytes(used), formatBytes(limit))

const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })
const sayEnd = (endsAt: number | null): string => (endsAt === null ? upgradeWords.endsNever : calendar.format(endsAt))
