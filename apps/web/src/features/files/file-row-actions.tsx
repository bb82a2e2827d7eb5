import { Download, Ellipsis, Share2, Trash2 } from 'lucide-react'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { CopyButton } from '#/components/ui/copy-button.tsx'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { Menu, MenuItem } from '#/components/ui/overlays/menu.tsx'
import { fileStrings } from '#/strings/files.ts'
import { shareLinkStrings } from '#/strings/share-links.ts'
import type { StoredFile } from './stored-files.ts'

export interface FileActions {
  /** Previews an image or a video. */
  readonly onOpen: (file: StoredFile) => void
  readonly onDownload: (file: StoredFile) => void
  /** Resolves to true once the link is on the clipboard. */
  readonly onCopyLink: (file: StoredFile) => Promise<boolean>
  /** Shares an image or a video with the device. */
  readonly onSave: (file: StoredFile) => void
  /** Shows the link and its options. */
  readonly onShare: (file: StoredFile) => void
  readonly onDelete: (file: StoredFile) => void
}

interface RowActionsProps extends FileActions {
  readonly file: StoredFile
  readonly disabled: boolean
}

export function DesktopActions({ file, disabled, onDownload, onCopyLink, onShare, onDelete }: RowActionsProps) {
  const name = visibleFileName(file.name)
  const subject = <span className="sr-only"> {name}</span>
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="compact" disabled={disabled} onClick={() => onDownload(file)}>
        {fileStrings.download}
        {subject}
      </Button>
      <CopyButton label={fileStrings.copyLink} subject={name} disabled={disabled} onCopy={() => onCopyLink(file)} />
      <Button
        size="compact"
        disabled={disabled}
        title={shareLinkStrings.title}
        aria-label={`${shareLinkStrings.title}: ${name}`}
        className="aspect-square px-0!"
        icon={<Share2 aria-hidden size={16} strokeWidth={1.75} />}
        onClick={() => onShare(file)}
      />
      <Button variant="danger-quiet" size="compact" onClick={() => onDelete(file)}>
        {fileStrings.delete}
        {subject}
      </Button>
    </div>
  )
}

export function PhoneActions({ file, disabled, onDownload, onCopyLink, onSave, onShare, onDelete }: RowActionsProps) {
  const name = visibleFileName(file.name)
  return (
    <div className="flex flex-[1_0_100%] flex-wrap gap-1.5 sm:gap-2">
      <CopyButton
        label={fileStrings.copyLinkPhone}
        subject={name}
        size="regular"
        className="grow basis-22 px-1.5!"
        disabled={disabled}
        onCopy={() => onCopyLink(file)}
      />
      <Button className="grow basis-14 px-1.5!" disabled={disabled} onClick={() => onSave(file)}>
        {fileStrings.save}
        <span className="sr-only"> {fileStrings.toCameraRoll(name)}</span>
      </Button>
      <Menu
        trigger={
          <IconButton
            label={fileStrings.more(name)}
            variant="secondary"
            disabled={disabled}
            icon={<Ellipsis aria-hidden size={18} strokeWidth={1.75} />}
          />
        }
      >
        <MenuItem icon={<Download aria-hidden size={18} strokeWidth={1.75} />} onSelect={() => onDownload(file)}>
          {fileStrings.download}
        </MenuItem>
        <MenuItem icon={<Share2 aria-hidden size={18} strokeWidth={1.75} />} onSelect={() => onShare(file)}>
          {shareLinkStrings.title}
        </MenuItem>
      </Menu>
      <IconButton
        label={fileStrings.deleteFile(name)}
        variant="danger-outline"
        icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => onDelete(file)}
      />
    </div>
  )
}
