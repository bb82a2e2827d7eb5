import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import { CreateRecoveryKeyButton } from './create-recovery-key-button.tsx'
import { recoveryQuery, useRemoveRecoveryKey } from './security.queries.ts'

export function RecoveryPane() {
  const query = useQuery(recoveryQuery(useCall()))
  return (
    <Card aria-labelledby="recovery-heading">
      <CardHeading id="recovery-heading" title={securityStrings.recoveryHeading} />
      <p className="mt-1 mb-4 text-sm text-ink-2">{securityStrings.recoveryIntro}</p>
      <Loaded query={query} failed={securityStrings.recoveryFailed} skeletonClassName="h-10">
        {(createdAt) => <RecoveryKeyStatus createdAt={createdAt} />}
      </Loaded>
    </Card>
  )
}

interface RecoveryKeyStatusProps {
  readonly createdAt: number | null
}

function RecoveryKeyStatus({ createdAt }: RecoveryKeyStatusProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="flex-1 basis-48 text-sm font-medium">
        {createdAt === null ? securityStrings.noRecoveryKey : securityStrings.recoveryCreatedOn(formatDate(createdAt))}
      </p>
      <div className="flex flex-wrap gap-2.5">
        <CreateRecoveryKeyButton
          label={createdAt === null ? securityStrings.createRecovery : securityStrings.replaceRecovery}
          replaces={createdAt !== null}
        />
        {createdAt === null ? null : <RemoveRecoveryKey />}
      </div>
    </div>
  )
}

function RemoveRecoveryKey() {
  const [isConfirming, setConfirming] = useState(false)
  const remove = useRemoveRecoveryKey()
  const toast = useToast()
  const { guard, reauthDialog } = useReauthGuard()

  function confirm() {
    guard(() => remove.mutateAsync())
      .then(
        () => toast({ text: securityStrings.removed }),
        (error: unknown) =>
          toast({ text: messageFor(error, securityStrings.removeFailed), tone: 'rust', urgent: true }),
      )
      .finally(() => setConfirming(false))
  }

  return (
    <>
      <Button variant="danger-outline" onClick={() => setConfirming(true)}>
        {securityStrings.removeRecovery}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={securityStrings.removeTitle}
        description={securityStrings.removeQuestion}
        confirmLabel={securityStrings.removeRecovery}
        busy={remove.isPending}
        busyLabel={securityStrings.removing}
        onConfirm={confirm}
        finalFocus={() => document.getElementById('recovery-heading') ?? true}
      >
        {reauthDialog}
      </ConfirmDialog>
    </>
  )
}
