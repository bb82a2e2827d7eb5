import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, TextButton } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { Loaded } from '#/components/ui/loaded.tsx'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { licenceNames } from '#/strings/files.ts'
import { formatDate } from '#/strings/format.ts'
import { ClaimKeyForm } from './claim-key-form.tsx'
import { UpgradeDialog } from './upgrade-dialog.tsx'

/** Shows the licence, its expiry and the storage used, and offers an upgrade from a trial and to add a licence key. */
export function LicencePane() {
  const query = useQuery(userInfoQuery(useCall()))
  const [isChoosing, setChoosing] = useState(false)
  const [isEnteringKey, setEnteringKey] = useState(false)
  return (
    <Card aria-labelledby="licence-heading">
      <CardHeading id="licence-heading" title={upgradeStrings.licenceHeading}>
        {query.data?.license_type === 'trial' ? (
          <Button size="compact" onClick={() => setChoosing(true)}>
            {upgradeStrings.upgradeShort}
          </Button>
        ) : null}
      </CardHeading>
      <Loaded
        query={query}
        formatError={(error) => messageFor(error, upgradeStrings.licenceFailed)}
        skeletonClassName="h-10"
        className="mt-3"
      >
        {(user) => (
          <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-3">
            <Detail name={upgradeStrings.licence} value={licenceNames[user.license_type]} />
            <Detail
              name={upgradeStrings.storage}
              value={formatUsage(user.storage_used_bytes, user.storage_limit_bytes)}
            />
            <Detail name={upgradeStrings.ends} value={formatExpiry(user.license_expires_at)} />
          </dl>
        )}
      </Loaded>
      {isEnteringKey ? (
        <ClaimKeyForm onClaimed={() => setEnteringKey(false)} />
      ) : (
        <TextButton className="mt-3" onClick={() => setEnteringKey(true)}>
          {upgradeStrings.enterKey}
        </TextButton>
      )}
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

function Detail({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

const formatUsage = (used: number, limit: number): string => upgradeStrings.usage(formatBytes(used), formatBytes(limit))

const formatExpiry = (endsAt: number | null): string =>
  endsAt === null ? upgradeStrings.endsNever : formatDate(endsAt)
