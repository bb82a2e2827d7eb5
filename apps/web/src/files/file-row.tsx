import { formatBytes, formatRemaining } from '@sallyport/contract/formats'
import { Trash2 } from 'lucide-react'
import { HourRing } from '#/motifs/hour-ring.tsx'
import { timeBand, timeBandText } from '#/motifs/time-band.ts'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { CopyButton } from '#/ui/copy-button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { FileIcon } from './file-icon.tsx'

/** A file as its owner sees it, its name already opened. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export interface FileActions {
  readonly onDownload: (file: StoredFile) => void
  /** True once the link is on the clipboard. */
  readonly onCopyLink: (file: StoredFile) => Promise<boolean>
  readonly onDelete: (file: StoredFile) => void
}

interface FileRowProps extends FileActions {
  readonly file: StoredFile
  /** Epoch milliseconds. */
  readonly now: number
}

export function FileRow({ file, now, ...actions }: FileRowProps) {
  const isPhone = useIsPhone()
  const isExpired = file.expiresAt <= now
  const Actions = isPhone ? PhoneActions : DesktopActions

  return (
    <li
      data-expired={isExpired || undefined}
      className="file-row flex flex-wrap items-center gap-x-3.5 gap-y-3 px-[var(--card-padding)] py-3.5 md:py-4"
    >
      <div className="flex min-w-0 flex-[1_1_15rem] items-center gap-3.5">
        <FileIcon name={file.name} />
        <div className="min-w-0">
          <bdi className="file-name block max-w-name truncate text-base font-semibold" title={file.name}>
            {file.name}
          </bdi>
          <div className="flex flex-wrap items-center gap-x-3.5 text-xs text-ink-2">
            <span className="num whitespace-nowrap">{formatBytes(file.sizeBytes)}</span>
            <TimeLeft expiresAt={file.expiresAt} now={now} isPhone={isPhone} />
          </div>
        </div>
      </div>
      <Actions file={file} disabled={isExpired} {...actions} />
    </li>
  )
}

interface TimeLeftProps {
  readonly expiresAt: number
  readonly now: number
  readonly isPhone: boolean
}

function TimeLeft({ expiresAt, now, isPhone }: TimeLeftProps) {
  const words = formatRemaining(expiresAt, now)
  const isOver = expiresAt <= now
  return (
    <time
      dateTime={new Date(expiresAt).toISOString()}
      title={new Date(expiresAt).toLocaleString()}
      className={classNames('flex items-center gap-2', timeBandText[timeBand(expiresAt, now)])}
    >
      <HourRing expiresAt={expiresAt} now={now} />
      {isPhone && !isOver ? `Expires in ${words.replace(' remaining', '')}` : words}
    </time>
  )
}

interface RowActionsProps extends FileActions {
  readonly file: StoredFile
  readonly disabled: boolean
}

function DesktopActions({ file, disabled, onDownload, onCopyLink, onDelete }: RowActionsProps) {
  const subject = <span className="sr-only"> {file.name}</span>
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="compact" disabled={disabled} onClick={() => onDownload(file)}>
        Download{subject}
      </Button>
      <CopyButton label="Copy Link" subject={file.name} disabled={disabled} onCopy={() => onCopyLink(file)} />
      <Button variant="danger-quiet" size="compact" onClick={() => onDelete(file)}>
        Delete{subject}
      </Button>
    </div>
  )
}

function PhoneActions({ file, disabled, onDownload, onCopyLink, onDelete }: RowActionsProps) {
  return (
    <div className="flex flex-[1_0_100%] flex-wrap gap-2">
      <CopyButton
        label="Copy Link"
        subject={file.name}
        size="regular"
        className="grow basis-28"
        disabled={disabled}
        onCopy={() => onCopyLink(file)}
      />
      <Button className="grow basis-28" disabled={disabled} onClick={() => onDownload(file)}>
        Download<span className="sr-only"> {file.name}</span>
      </Button>
      <IconButton
        label={`Delete ${file.name}`}
        variant="danger-outline"
        icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => onDelete(file)}
      />
    </div>
  )
}
