import type { TransferJob } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { archiveStrings } from '#/strings/archive.ts'
import { controlStrings } from '#/strings/controls.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { badgeOf, labelsOf, noteOf, sealStateOf, type TransferNote } from './transfer-labels.ts'
import { formatFigures, shareDelivered } from './transfer-progress.ts'
import { describeProgress, shareEncrypted } from './transfer-total.ts'

interface TransferJobRowProps {
  readonly job: TransferJob
  readonly list: JobList
  /** In a narrow container, as on phones, button labels are shorter. */
  readonly isNarrow: boolean
}

/** One transfer of any kind, with its actions. */
export function TransferJobRow({ job, list, isNarrow }: TransferJobRowProps) {
  const { kind, fileName } = job
  const note = noteOf(job)
  return (
    <TransferRow
      fileName={fileName}
      seal={sealStateOf(job)}
      badge={badgeOf(job)}
      label={labelsOf(kind).bar(visibleFileName(fileName))}
      valueText={describeProgress(job)}
      {...(kind === 'upload' && { encrypted: shareEncrypted(job) })}
      delivered={shareDelivered(job)}
      figures={formatFigures(job)}
      note={note && <NoteText {...note} />}
      actions={<Actions job={job} list={list} isNarrow={isNarrow} />}
    />
  )
}

const noteColors = { rust: 'text-rust', brass: 'text-brass-ink', neutral: undefined }

/** A sentence in a row instead of figures. */
export function NoteText({ text, tone, isUrgent = false }: TransferNote) {
  return (
    <span role={isUrgent ? 'alert' : undefined} className={classNames('wrap-anywhere', noteColors[tone])}>
      {text}
    </span>
  )
}

function Actions({ job, list, isNarrow }: TransferJobRowProps) {
  const isCompact = useIsPhone() || isNarrow
  const { id, kind, state } = job
  const { again, cancel, cancelSubject } = labelsOf(kind)
  const fileName = visibleFileName(job.fileName)
  const subject = <span className="sr-only"> {fileName}</span>

  if (state.status === 'done') return null
  if (state.status === 'failed' || state.status === 'cancelled') {
    if (again === null) return null
    return (
      <>
        <Button onClick={() => list.retry(id)}>
          {state.status === 'failed' ? controlStrings.retry : again}
          {subject}
        </Button>
        <Button variant="quiet" onClick={() => list.dismiss(id)}>
          {transferStrings.dismiss}
          {subject}
        </Button>
      </>
    )
  }
  return (
    <>
      {state.status === 'paused' && state.error !== undefined ? (
        <>
          <Button onClick={() => list.skip?.(id)}>{archiveStrings.continueWithout}</Button>
          <Button onClick={() => list.retry(id)}>{archiveStrings.retryFile}</Button>
        </>
      ) : null}
      <Button variant={isCompact || kind === 'archive' ? 'quiet' : 'secondary'} onClick={() => list.cancel(id)}>
        {isCompact ? transferStrings.cancel : cancel}
        <span className="sr-only"> {cancelSubject(fileName)}</span>
      </Button>
    </>
  )
}
