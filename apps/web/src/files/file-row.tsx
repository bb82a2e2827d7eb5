import { formatBytes } from '@sallyport/contract/formats'
import { Link2 } from 'lucide-react'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { FileIcon } from './file-icon.tsx'
import { DesktopActions, type FileActions, PhoneActions } from './file-row-actions.tsx'
import { LifetimeMenu } from './lifetime-menu.tsx'
import { previewOf } from './media-type.ts'
import type { StoredFile } from './stored-files.ts'

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
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start">
          <FileTitle file={file} disabled={isExpired} {...actions} />
          <div className="flex flex-wrap items-center gap-x-3.5 text-xs text-ink-2">
            <span className="num whitespace-nowrap">{formatBytes(file.sizeBytes)}</span>
            <LifetimeMenu file={file} now={now} />
            {file.isShared ? <SharedMark /> : null}
          </div>
        </div>
      </div>
      <Actions file={file} disabled={isExpired} {...actions} />
    </li>
  )
}

interface FileTitleProps extends Pick<FileActions, 'onOpen' | 'onDownload'> {
  readonly file: StoredFile
  readonly disabled: boolean
}

/** The name opens what can be shown; on a phone it downloads everything else. */
function FileTitle({ file, disabled, onOpen, onDownload }: FileTitleProps) {
  const isPhone = useIsPhone()
  const isShown = previewOf(file.name) !== null
  const name = (
    <bdi className="file-name block w-full max-w-name truncate text-base font-semibold" title={file.name}>
      {file.name}
    </bdi>
  )
  if (disabled || !(isShown || isPhone)) return name
  return (
    <button
      type="button"
      className="max-w-full rounded-segment decoration-1 underline-offset-3 hover:underline pointer-coarse:min-h-8"
      onClick={() => (isShown ? onOpen(file) : onDownload(file))}
    >
      <span className="sr-only">{isShown ? 'Show ' : 'Download '}</span>
      {name}
    </button>
  )
}

function SharedMark() {
  return (
    <span className="flex items-center gap-1 text-seal" title="Shared by link">
      <Link2 aria-hidden size={14} strokeWidth={1.75} />
      <span className="max-md:sr-only">Shared</span>
    </span>
  )
}
