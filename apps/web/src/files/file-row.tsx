import { Link2 } from 'lucide-react'
import { FileName, FileRowFrame } from '#/file-views/file-row-frame.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
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
    <FileRowFrame
      name={file.name}
      sizeBytes={file.sizeBytes}
      isExpired={isExpired}
      title={<FileTitle file={file} disabled={isExpired} {...actions} />}
      facts={
        <>
          <LifetimeMenu file={file} now={now} />
          {file.isShared ? <SharedMark /> : null}
        </>
      }
      actions={<Actions file={file} disabled={isExpired} {...actions} />}
    />
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
  const name = <FileName name={file.name} />
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
