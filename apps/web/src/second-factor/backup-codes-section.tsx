import { useQuery } from '@tanstack/react-query'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { useProofGuard } from '#/passwords/use-proof-guard.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { secondFactorWords } from '#/words/second-factor.ts'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { backupCodesQuery, useMakeBackupCodes } from './second-factor.queries.ts'

/** How many backup codes are left, and the way to new ones. */
export function BackupCodesSection() {
  const { data: left } = useQuery(backupCodesQuery(useCall()))
  const { guard, proofDialog } = useProofGuard()
  const make = useMakeBackupCodes(guard)
  const hasCodes = left !== undefined && left > 0
  return (
    <section aria-labelledby="backup-codes-heading" className="mt-5 border-t border-line pt-4">
      <h3 id="backup-codes-heading" className="heading text-lg">
        {secondFactorWords.backupHeading}
      </h3>
      <p className="mt-1 text-sm text-ink-2">{secondFactorWords.backupIntro}</p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="flex-1 basis-48 text-sm font-medium">
          {left === undefined ? null : hasCodes ? secondFactorWords.backupLeft(left) : secondFactorWords.backupNone}
        </p>
        <Button
          busy={make.isPending}
          busyLabel={secondFactorWords.makingCodes}
          onClick={() => make.mutate({ replaced: hasCodes })}
        >
          {hasCodes ? secondFactorWords.makeNewCodes : secondFactorWords.makeCodes}
        </Button>
      </div>
      <FormAlert message={make.isError ? speak(make.error, secondFactorWords.makeFailed) : null} />
      {proofDialog}
      {make.data ? <BackupCodesDialog {...make.data} onKept={make.reset} /> : null}
    </section>
  )
}
