import { timeBand, timeBandText } from '#/components/brand/time-band.ts'
import { FileRowFrame, RowName } from '#/components/files/file-row-frame.tsx'
import { FileTimeLeft } from '#/components/files/file-time-left.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { sessionStrings } from '#/strings/sessions.ts'

interface SessionFileRowProps {
  readonly file: {
    readonly name: string
    readonly sizeBytes: number
    /** Epoch milliseconds; null for a file that expires with the session. */
    readonly expiresAt: number | null
  }
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether the link that opened the page points to this file. */
  readonly isLinked: boolean
  readonly onDownload: () => void
  readonly onCopyLink: () => Promise<boolean>
  readonly onDelete: () => void
}

export function SessionFileRow({ file, now, isLinked, onDownload, onCopyLink, onDelete }: SessionFileRowProps) {
  const isPhone = useIsPhone()
  const size = isPhone ? 'regular' : 'compact'
  const { name, sizeBytes, expiresAt } = file
  const shownName = visibleFileName(name)
  const subject = <span className="sr-only"> {shownName}</span>
  return (
    <FileRowFrame
      name={name}
      sizeBytes={sizeBytes}
      isExpired={false}
      isLinked={isLinked}
      title={<RowName name={name} />}
      metadata={
        expiresAt === null ? (
          <span>{sessionStrings.noExpiration}</span>
        ) : (
          <FileTimeLeft expiresAt={expiresAt} now={now} className={timeBandText[timeBand(expiresAt, now)]} />
        )
      }
      actions={
        <div className="flex flex-wrap items-center gap-2 max-md:flex-[1_0_100%]">
          <Button
            size={size}
            variant={isLinked ? 'primary' : 'secondary'}
            className="max-md:grow max-md:px-2!"
            onClick={onDownload}
          >
            {sessionStrings.download}
            {subject}
          </Button>
          <CopyButton
            label={sessionStrings.copyLink}
            subject={shownName}
            size={size}
            className="max-md:grow max-md:px-2!"
            onCopy={onCopyLink}
          />
          <Button variant="danger-quiet" size={size} onClick={onDelete}>
            {sessionStrings.delete}
            {subject}
          </Button>
        </div>
      }
    />
  )
}
