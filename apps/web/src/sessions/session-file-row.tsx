import { FileName, FileRowFrame } from '#/file-views/file-row-frame.tsx'
import { FileTimeLeft } from '#/file-views/file-time-left.tsx'
import { timeBand, timeBandText } from '#/motifs/time-band.ts'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { sessionWords } from '#/words/sessions.ts'

interface SessionFileRowProps {
  readonly file: {
    readonly name: string
    readonly sizeBytes: number
    /** Epoch milliseconds; null for one that ends with the session only. */
    readonly expiresAt: number | null
  }
  /** Epoch milliseconds. */
  readonly now: number
  readonly onDownload: () => void
  readonly onCopyLink: () => Promise<boolean>
  readonly onDelete: () => void
}

export function SessionFileRow({ file, now, onDownload, onCopyLink, onDelete }: SessionFileRowProps) {
  const isPhone = useIsPhone()
  const size = isPhone ? 'regular' : 'compact'
  const { name, sizeBytes, expiresAt } = file
  const subject = <span className="sr-only"> {name}</span>
  return (
    <FileRowFrame
      name={name}
      sizeBytes={sizeBytes}
      isExpired={false}
      title={<FileName name={name} />}
      facts={
        expiresAt === null ? (
          <span>{sessionWords.noExpiration}</span>
        ) : (
          <FileTimeLeft expiresAt={expiresAt} now={now} className={timeBandText[timeBand(expiresAt, now)]} />
        )
      }
      actions={
        <div className="flex flex-wrap items-center gap-2 max-md:flex-[1_0_100%]">
          <Button size={size} className="max-md:grow max-md:px-2!" onClick={onDownload}>
            {sessionWords.download}
            {subject}
          </Button>
          <CopyButton
            label={sessionWords.copyLink}
            subject={name}
            size={size}
            className="max-md:grow max-md:px-2!"
            onCopy={onCopyLink}
          />
          <Button variant="danger-quiet" size={size} onClick={onDelete}>
            {sessionWords.delete}
            {subject}
          </Button>
        </div>
      }
    />
  )
}
