import type { BackupOutcome } from '@sallyport/contract/admin-backup'
import { useState } from 'react'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ProgressBar } from '#/components/ui/progress-bar.tsx'
import { adminBackupStrings as strings } from '#/strings/admin/backup.ts'
import type { BackupStatus } from '../admin.queries.ts'

/** What the running backup is doing, or how the last one has ended. A completed one is mentioned where it was seen to run. */
export function BackupResult({ status: { running, last_outcome } }: { readonly status: BackupStatus }) {
  const [hasRun, setHasRun] = useState(false)
  if (running && !hasRun) setHasRun(true)
  const failure = running ? null : failureText(last_outcome)
  const text = running ? stepText(running) : endText(last_outcome, hasRun)
  return (
    <>
      <div className={failure === null ? '' : 'mt-3'}>
        <FormAlert message={failure} />
      </div>
      <p role="status" className="mt-3 text-sm font-medium text-ink empty:hidden">
        {text}
      </p>
      {running ? (
        <>
          <ProgressBar label={strings.progress} value={shareOf(running)} className="mt-2" />
          {/* Not in the live region, because it changes each second. */}
          <p className="mt-1.5 text-sm text-ink-2 tabular-nums empty:hidden">{countText(running)}</p>
        </>
      ) : null}
    </>
  )
}

type Running = NonNullable<BackupStatus['running']>

const stepText = ({ step, is_stopping }: Running): string => (is_stopping ? strings.stopping : strings.steps[step])

const countText = ({ step, files, total_files }: Running): string | null =>
  step === 'objects' ? strings.copied(files, total_files ?? files) : null

const shareOf = ({ step, files, total_files }: Running): number | null =>
  step === 'objects' && total_files !== null && total_files > 0 ? files / total_files : null

const failureText = (outcome: BackupOutcome | null): string | null =>
  outcome === null || outcome === 'done' || outcome === 'stopped' ? null : strings.failures[outcome]

function endText(outcome: BackupOutcome | null, hasRun: boolean): string | null {
  if (outcome === 'stopped') return strings.stopped
  return outcome === 'done' && hasRun ? strings.done : null
}
