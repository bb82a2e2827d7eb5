import { formatBytes, formatPercent } from '@sallyport/contract/formats'
import { lastPartOf } from '@sallyport/crypto'
import type { InterruptedUpload } from '@sallyport/transfers/browser/uploads/check-resumable'
import type { InterruptedUploads } from '@sallyport/transfers/browser/uploads/interrupted-uploads'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { pickFiles } from '#/components/file-input/pick-files.ts'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { interruptedUploadStrings } from '#/strings/interrupted-uploads.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { NoteText } from './transfer-job-row.tsx'
import type { TransferNote } from './transfer-labels.ts'

interface InterruptedUploadRowProps {
  readonly interrupted: InterruptedUploads
  readonly upload: InterruptedUpload
}

/** One interrupted upload of an earlier visit. */
export function InterruptedUploadRow({ interrupted, upload }: InterruptedUploadRowProps) {
  const { size, storedBytes } = upload
  const { states } = transferStrings
  const name = lastPartOf(upload.name)
  const isStarted = storedBytes > 0
  const share = isStarted ? storedBytes / size : 0
  return (
    <TransferRow
      fileName={name}
      seal={isStarted ? 'sending' : 'idle'}
      badge={isStarted ? { text: states.paused, tone: 'brass' } : { text: states.waiting, tone: 'neutral' }}
      label={transferStrings.uploadOf(visibleFileName(name))}
      valueText={isStarted ? transferStrings.percentPaused(Math.floor(share * 100)) : transferStrings.notStarted}
      encrypted={share}
      delivered={share}
      note={<NoteText {...noteOf(upload)} />}
      actions={<Actions interrupted={interrupted} upload={upload} />}
    />
  )
}

function noteOf(upload: InterruptedUpload): TransferNote {
  const { error, source, storedBytes } = upload
  if (error !== null) return { text: interruptedUploadStrings.errors[error], tone: 'rust', isUrgent: true }
  return { text: describe(upload), tone: source === 'at-hand' && storedBytes === 0 ? 'neutral' : 'brass' }
}

function describe({ source, size, storedBytes, name }: InterruptedUpload): string {
  if (source === 'pasted') return interruptedUploadStrings.pasteAgain
  const percent = formatPercent(storedBytes / Math.max(1, size))
  if (source === 'at-hand') {
    return storedBytes > 0
      ? interruptedUploadStrings.pausedAt(percent)
      : interruptedUploadStrings.notSent(formatBytes(size))
  }
  const fileName = visibleFileName(lastPartOf(name))
  return storedBytes > 0
    ? interruptedUploadStrings.chooseAgain(fileName, percent)
    : interruptedUploadStrings.chooseToSend(fileName)
}

function Actions({ interrupted, upload }: InterruptedUploadRowProps) {
  const { id, source, error } = upload
  const subject = <span className="sr-only"> {visibleFileName(lastPartOf(upload.name))}</span>

  /** Also resumes other uploads whose files are chosen together with this one. */
  async function choose() {
    const files = await pickFiles({ multiple: true })
    const [first] = files
    if (!first) return
    const isAlone = files.length === 1 || (await interrupted.resumeMatching(files)).length === files.length
    if (isAlone) await interrupted.resumeOne(id, first)
  }

  return (
    <>
      {source === 'at-hand' && error === null ? (
        <Button onClick={() => void interrupted.resume([id])}>
          {interruptedUploadStrings.resume}
          {subject}
        </Button>
      ) : source === 'pasted' ? null : (
        <Button onClick={() => void choose()}>
          {interruptedUploadStrings.chooseFile}
          {subject}
        </Button>
      )}
      <Button variant="quiet" onClick={() => void interrupted.discard([id])}>
        {interruptedUploadStrings.discard}
        {subject}
      </Button>
    </>
  )
}
