import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useToast } from '#/ui/toast.tsx'
import { securityWords } from '#/words/security.ts'
import { DeviceRow } from './device-row.tsx'
import { type SignIn, signInsQuery, useEndSignIns } from './security.queries.ts'

export function DevicesPane() {
  const { data: signIns, error, refetch } = useQuery(signInsQuery(useCall()))
  return (
    <Card aria-labelledby="devices-heading">
      <CardHeading id="devices-heading" title={securityWords.devicesHeading}>
        {signIns && signIns.length > 1 ? <EndOthers /> : null}
      </CardHeading>
      <p className="mt-1 mb-3 text-sm text-ink-2">{securityWords.devicesIntro}</p>
      {signIns ? (
        <DeviceList signIns={signIns} />
      ) : error ? (
        <RetryBanner label={securityWords.retry} onRetry={() => void refetch()}>
          {speak(error, securityWords.devicesFailed)}
        </RetryBanner>
      ) : (
        <Skeleton className="h-14" />
      )}
    </Card>
  )
}

interface DeviceListProps {
  readonly signIns: readonly SignIn[]
}

/** This device first, then the others by their last use. */
function DeviceList({ signIns }: DeviceListProps) {
  const ordered = [...signIns].sort((one, other) => Number(other.current) - Number(one.current))
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {ordered.map((signIn) => (
          <DeviceRow key={signIn.id} signIn={signIn} />
        ))}
      </ul>
      {ordered.length === 1 ? (
        <p className="mt-3 border-t border-line pt-3 text-sm text-ink-3">{securityWords.onlyHere}</p>
      ) : null}
    </>
  )
}

function EndOthers() {
  const [isAsked, setAsked] = useState(false)
  const end = useEndSignIns()
  const toast = useToast()

  function confirm() {
    end.mutate('others', {
      onSuccess: () => toast({ text: securityWords.othersEnded, tone: 'seal' }),
      onError: (error) => toast({ text: speak(error, securityWords.othersFailed), tone: 'rust', urgent: true }),
      onSettled: () => setAsked(false),
    })
  }

  return (
    <>
      <Button variant="danger-outline" size="compact" onClick={() => setAsked(true)}>
        {securityWords.endOthers}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={securityWords.endOthersTitle}
        description={securityWords.endOthersQuestion}
        confirmLabel={securityWords.endOthers}
        busy={end.isPending}
        busyLabel={securityWords.endingSignIn}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('devices-heading') ?? true}
      />
    </>
  )
}
