import { Link2 } from 'lucide-react'
import { memo } from 'react'
import { FileRowFrame, RowName } from '#/components/files/file-row-frame.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { fileStrings } from '#/strings/files.ts'
import { DesktopActions, type FileActions, PhoneActions } from './file-row-actions.tsx'
import { LifetimeMenu } from './lifetime-menu.tsx'
import { previewOf } from './preview/media-type.ts'
import type { StoredFile } from './stored-files.ts'

interface FileRowProps {
  readonly file: StoredFile
  readonly actions: FileActions
  /** Epoch milliseconds. */
  readonly now: number
}

export const FileRow = memo(function FileRow({ file, now, actions }: FileRowProps) {
  const isPhone = useIsPhone()
  const isExpired = file.expiresAt <= now
  const Actions = isPhone ? PhoneActions : DesktopActions

  return (
    <FileRowFrame
      name={file.name}
      sizeBytes={file.sizeBytes}
      isExpired={isExpired}
      title={<FileTitle file={file} disabled={isExpired} {...actions} />}
      metadata={
        <>
          <LifetimeMenu file={file} now={now} />
          {file.isShared ? <SharedBadge /> : null}
        </>
      }
      actions={<Actions file={file} disabled={isExpired} {...actions} />}
    />
  )
})

interface FileTitleProps extends Pick<FileActions, 'onOpen' | 'onDownload'> {
  readonly file: StoredFile
  readonly disabled: boolean
}

/** The name opens a preview where there is one; on phones it downloads all other files. */
function FileTitle({ file, disabled, onOpen, onDownload }: FileTitleProps) {
  const isPhone = useIsPhone()
  const hasPreview = previewOf(file.name) !== null
  const name = <RowName name={file.name} />
  if (disabled || !(hasPreview || isPhone)) return name
  return (
    <button
      type="button"
      className="max-w-full rounded-segment decoration-1 underline-offset-3 hover:underline pointer-coarse:min-h-8"
      onClick={() => (hasPreview ? onOpen(file) : onDownload(file))}
    >
      <span className="sr-only">{hasPreview ? fileStrings.preview : fileStrings.download} </span>
      {name}
    </button>
  )
}

function SharedBadge() {
  return (
    <span className="flex items-center gap-1 text-seal" title={fileStrings.sharedByLink}>
      <Link2 aria-hidden size={14} strokeWidth={1.75} />
      <span className="max-md:sr-only">{fileStrings.shared}</span>
    </span>
  )
}
