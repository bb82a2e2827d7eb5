import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { useProofGuard } from '#/passwords/use-proof-guard.tsx'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useToast } from '#/ui/toast.tsx'
import { securityWords } from '#/words/security.ts'
import { MakeRecoveryKey } from './make-recovery-key.tsx'
import { sayDate } from './moments.ts'
import { recoveryQuery, useRemoveRecoveryKey } from './security.queries.ts'

export function RecoveryPane() {
  const { data: madeAt, error, refetch } = useQuery(recoveryQuery(useCall()))
  return (
    <Card aria-labelledby="recovery-heading">
      <CardHeading id="recovery-heading" title={securityWords.recoveryHeading} />
      <p className="mt-1 mb-4 text-sm text-ink-2">{securityWords.recoveryIntro}</p>
      {madeAt !== undefined ? (
        <Standing madeAt={madeAt} />
      ) : error ? (
        <RetryBanner label={securityWords.retry} onRetry={() => void refetch()}>
          {speak(error, securityWords.recoveryFailed)}
        </RetryBanner>
      ) : (
        <Skeleton className="h-10" />
      )}
    </Card>
  )
}

interface StandingProps {
  readonly madeAt: number | null
}

function Standing({ madeAt }: StandingProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="flex-1 basis-48 text-sm font-medium">
        {madeAt === null ? securityWords.recoveryNone : securityWords.recoverySince(sayDate(madeAt))}
      </p>
      <MakeRecoveryKey
        label={madeAt === null ? securityWords.makeRecovery : securityWords.replaceRecovery}
        replaces={madeAt !== null}
      />
      {madeAt === null ? null : <RemoveRecoveryKey />}
    </div>
  )
}

function RemoveRecoveryKey() {
  const [isAsked, setAsked] = useState(false)
  const remove = useRemoveRecoveryKey()
  const toast = useToast()
  const { guard, proofDialog } = useProofGuard()

  function confirm() {
    guard(() => remove.mutateAsync())
      .then(
        () => toast({ text: securityWords.removed }),
        (error: unknown) => toast({ text: speak(error, securityWords.removeFailed), tone: 'rust', urgent: true }),
      )
      .finally(() => setAsked(false))
  }

  return (
    <>
      <Button variant="danger-outline" onClick={() => setAsked(true)}>
        {securityWords.removeRecovery}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={securityWords.removeTitle}
        description={securityWords.removeQuestion}
        confirmLabel={securityWords.removeRecovery}
        busy={remove.isPending}
        busyLabel={securityWords.removing}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('recovery-heading') ?? true}
      >
        {proofDialog}
      </ConfirmDialog>
    </>
  )
}
