import { adminBackup } from '@sallyport/contract/admin-backup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { adminBackupStrings as strings } from '#/strings/admin/backup.ts'
import { type BackupStatus, backupQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { ChangeDialog } from '../user/change-dialog.tsx'
import { changeErrorMessage, type ReauthGuard, useChange } from '../user/use-change.ts'
import { BackupResult } from './backup-result.tsx'
import { LatestBackupDetails } from './latest-backup-details.tsx'

const headingId = 'backup-heading'

/** The last backup, the one that runs, and the button that makes one. */
export function BackupCard(guard: ReauthGuard) {
  const query = useQuery(backupQuery(useAdminCall()))
  return (
    <Card aria-labelledby={headingId} className="max-w-180">
      <Loaded query={query} failed={strings.loadFailed} skeletonClassName="h-48">
        {(status) => <BackupContent status={status} {...guard} />}
      </Loaded>
    </Card>
  )
}

interface BackupContentProps extends ReauthGuard {
  readonly status: BackupStatus
}

function BackupContent({ status, guard, reauthDialog }: BackupContentProps) {
  const { settings, running } = status
  const [isAsking, setAsking] = useState(false)
  const stop = useChange({
    guard,
    send: async (call) => (await call(adminBackup.stop, {})).message,
  })
  const isStopping = stop.isPending || running?.is_stopping === true
  return (
    <>
      <CardHeading id={headingId} title={strings.heading}>
        {settings === null ? null : (
          // One button with two labels, so that the focus stays on it.
          <Button
            size="compact"
            busy={running !== null && isStopping}
            onClick={() => (running ? stop.mutate() : setAsking(true))}
          >
            {labelOf(running !== null, isStopping)}
          </Button>
        )}
      </CardHeading>
      <p className="mt-1.5 text-sm text-ink-2">{settings === null ? strings.notConfigured : strings.text}</p>
      {settings === null ? null : (
        <>
          <BackupResult status={status} />
          {stop.error ? <FormAlert message={changeErrorMessage(stop.error, strings.stopFailed)} /> : null}
          <LatestBackupDetails latest={status.latest} isReadable={status.is_readable} folder={settings.folder} />
          <ChangeDialog
            guard={guard}
            reauthDialog={reauthDialog}
            open={isAsking}
            onClose={() => setAsking(false)}
            send={async (call) => (await call(adminBackup.start, {})).message}
            failed={strings.startFailed}
            title={strings.question}
            description={(settings.is_sealed ? strings.consequenceSealed : strings.consequencePlain)(settings.folder)}
            confirmLabel={strings.backUp}
            tone="primary"
            busyLabel={strings.starting}
          />
        </>
      )}
      {stop.isPending ? reauthDialog : null}
    </>
  )
}

function labelOf(isRunning: boolean, isStopping: boolean): string {
  if (!isRunning) return strings.backUp
  return isStopping ? strings.stopping : strings.stop
}
