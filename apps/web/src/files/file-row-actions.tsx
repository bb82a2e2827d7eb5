import { Download, Ellipsis, Share2, Trash2 } from 'lucide-react'
import { Button } from '#/ui/button.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Menu, MenuItem } from '#/ui/menu.tsx'
import { linkWords } from '#/words/links.ts'
import type { StoredFile } from './stored-files.ts'

export interface FileActions {
  /** Shows a picture or a film. */
  readonly onOpen: (file: StoredFile) => void
  readonly onDownload: (file: StoredFile) => void
  /** True once the link is on the clipboard. */
  readonly onCopyLink: (file: StoredFile) => Promise<boolean>
  /** Hands a picture or a film to the device. */
  readonly onSave: (file: StoredFile) => void
  /** Shows the link and what it allows. */
  readonly onShare: (file: StoredFile) => void
  readonly onDelete: (file: StoredFile) => void
}

interface RowActionsProps extends FileActions {
  readonly file: StoredFile
  readonly disabled: boolean
}

export function DesktopActions({ file, disabled, onDownload, onCopyLink, onShare, onDelete }: RowActionsProps) {
  const subject = <span className="sr-only"> {file.name}</span>
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="compact" disabled={disabled} onClick={() => onDownload(file)}>
        Download{subject}
      </Button>
      <CopyButton label="Copy Link" subject={file.name} disabled={disabled} onCopy={() => onCopyLink(file)} />
      <Button
        size="compact"
        disabled={disabled}
        title={linkWords.title}
        aria-label={`${linkWords.title}: ${file.name}`}
        className="aspect-square px-0!"
        icon={<Share2 aria-hidden size={16} strokeWidth={1.75} />}
        onClick={() => onShare(file)}
      />
      <Button variant="danger-quiet" size="compact" onClick={() => onDelete(file)}>
        Delete{subject}
      </Button>
    </div>
  )
}

export function PhoneActions({ file, disabled, onDownload, onCopyLink, onSave, onShare, onDelete }: RowActionsProps) {
  return (
    <div className="flex flex-[1_0_100%] flex-wrap gap-1.5 sm:gap-2">
      <CopyButton
        label="Copy link"
        subject={file.name}
        size="regular"
        className="grow basis-22 px-1.5!"
        disabled={disabled}
        onCopy={() => onCopyLink(file)}
      />
      <Button className="grow basis-14 px-1.5!" disabled={disabled} onClick={() => onSave(file)}>
        Save<span className="sr-only"> {file.name} to camera roll</span>
      </Button>
      <Menu
        trigger={
          <IconButton
            label={`More for ${file.name}`}
            variant="secondary"
            disabled={disabled}
            icon={<Ellipsis aria-hidden size={18} strokeWidth={1.75} />}
          />
        }
      >
        <MenuItem icon={<Download aria-hidden size={18} strokeWidth={1.75} />} onSelect={() => onDownload(file)}>
          Download
        </MenuItem>
        <MenuItem icon={<Share2 aria-hidden size={18} strokeWidth={1.75} />} onSelect={() => onShare(file)}>
          {linkWords.title}
        </MenuItem>
      </Menu>
      <IconButton
        label={`Delete ${file.name}`}
        variant="danger-outline"
        icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => onDelete(file)}
      />
    </div>
  )
}
