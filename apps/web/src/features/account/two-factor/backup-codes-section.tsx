import { useQuery } from '@tanstack/react-query'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { backupCodesQuery, useCreateBackupCodes } from './mfa.queries.ts'

/** Shows how many backup codes are left and offers to create new ones. */
export function BackupCodesSection() {
  const { data: remaining } = useQuery(backupCodesQuery(useCall()))
  const { guard, reauthDialog } = useReauthGuard()
  const makeCodes = useCreateBackupCodes(guard)
  const hasCodes = remaining !== undefined && remaining > 0
  return (
    <section aria-labelledby="backup-codes-heading" className="mt-5 border-t border-line pt-4">
      <h3 id="backup-codes-heading" className="heading text-lg">
        {mfaStrings.backupHeading}
      </h3>
      <p className="mt-1 text-sm text-ink-2">{mfaStrings.backupIntro}</p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="flex-1 basis-48 text-sm font-medium">
          {remaining === undefined ? null : hasCodes ? mfaStrings.backupLeft(remaining) : mfaStrings.backupNone}
        </p>
        <Button
          busy={makeCodes.isPending}
          busyLabel={mfaStrings.creatingCodes}
          onClick={() => makeCodes.mutate({ replaced: hasCodes })}
        >
          {hasCodes ? mfaStrings.createNewCodes : mfaStrings.createCodes}
        </Button>
      </div>
      <FormAlert message={makeCodes.isError ? messageFor(makeCodes.error, mfaStrings.createFailed) : null} />
      {reauthDialog}
      {makeCodes.data ? <BackupCodesDialog {...makeCodes.data} onSaved={makeCodes.reset} /> : null}
    </section>
  )
}
