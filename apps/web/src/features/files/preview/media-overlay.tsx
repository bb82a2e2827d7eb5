import { Dialog } from '@base-ui/react/dialog'
import { saveBlob } from '@sallyport/transfers/browser/downloads/save-blob'
import { shareWithDevice } from '@sallyport/transfers/browser/downloads/share-with-device'
import { ChevronLeft, ChevronRight, Download, Share2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { FileName } from '#/components/files/file-name.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { mediaStrings } from '#/strings/media.ts'
import { useFilesContext } from '../files-context.ts'
import type { StoredFile } from '../stored-files.ts'
import { MediaStage } from './media-stage.tsx'
import { cameraRollType, type Preview, previewOf } from './media-type.ts'
import { useGestures } from './use-gestures.ts'
import { useOpenedFile } from './use-opened-file.ts'

interface MediaOverlayProps {
  /** In list order; files without a preview are skipped. */
  readonly files: readonly StoredFile[]
  readonly shownId: string
  readonly onShow: (fileId: string) => void
  readonly onShare: (file: StoredFile) => void
  readonly onClose: () => void
  /** A sheet above the preview. */
  readonly children?: ReactNode
}

/** Previews images and videos full screen, one at a time. Closes when the shown file is removed from the list. */
export function MediaOverlay({ files, shownId, onShow, onShare, onClose, children }: MediaOverlayProps) {
  const shownFiles = files.flatMap((file) => {
    const preview = previewOf(file.name)
    return preview ? [{ file, preview }] : []
  })
  const index = shownFiles.findIndex(({ file }) => file.id === shownId)
  const shown = shownFiles[index]
  const isRemoved = shown === undefined

  useEffect(() => {
    if (isRemoved) onClose()
  }, [isRemoved, onClose])

  function navigate(step: 1 | -1) {
    const next = shownFiles[index + step]
    if (next) onShow(next.file.id)
  }

  if (!shown) return null
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Popup className="media-overlay" data-theme="dark" onKeyDown={(event) => navigateByKey(event, navigate)}>
          <Media
            key={shownId}
            {...shown}
            position={{ index, count: shownFiles.length }}
            onNavigate={navigate}
            onShare={onShare}
            onClose={onClose}
          />
        </Dialog.Popup>
        {children}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Navigates by arrow keys, except while a video has the focus, which uses them itself. */
function navigateByKey({ key, target }: KeyboardEvent, navigate: (step: 1 | -1) => void): void {
  if (target instanceof HTMLVideoElement) return
  if (key === 'ArrowRight') navigate(1)
  if (key === 'ArrowLeft') navigate(-1)
}

interface MediaProps extends Pick<MediaOverlayProps, 'onShare' | 'onClose'> {
  readonly file: StoredFile
  readonly preview: Preview
  readonly position: { readonly index: number; readonly count: number }
  readonly onNavigate: (step: 1 | -1) => void
}

function Media({ file, preview, position, onNavigate, onShare, onClose }: MediaProps) {
  const isPhone = useIsPhone()
  const opened = useOpenedFile(file, preview)
  const { startDownload } = useFilesContext()
  const gestures = useGestures({ onClose, onNavigate })
  const { shown, markCopied } = opened

  function save() {
    if (!shown) return
    if (!shown.blob) return startDownload(file)
    markCopied()
    const type = cameraRollType(file.name)
    if (isPhone && type !== null) void shareWithDevice(shown.blob, { name: file.name, type })
    else saveBlob(shown.blob, file.name)
  }

  return (
    <>
      <div className="media-bar">
        <Dialog.Close render={<IconButton label={mediaStrings.close} icon={<X {...iconProps} />} />} />
        <div className="me-auto min-w-0">
          <Dialog.Title className="text-base font-semibold">
            <FileName title={file.name}>{file.name}</FileName>
          </Dialog.Title>
          {position.count > 1 ? (
            <p className="num text-ink-2">{mediaStrings.position(position.index + 1, position.count)}</p>
          ) : null}
        </div>
        <Button disabled={!shown} icon={<Download {...iconProps} />} onClick={save}>
          {mediaStrings.save}
        </Button>
        <Button icon={<Share2 {...iconProps} />} onClick={() => onShare(file)}>
          {mediaStrings.share}
        </Button>
      </div>
      <div className="media-stage">
        <MediaStage name={file.name} preview={preview} opened={opened} gestures={gestures} />
        {position.index > 0 ? <NavigateButton step={-1} onTurn={onNavigate} /> : null}
        {position.index < position.count - 1 ? <NavigateButton step={1} onTurn={onNavigate} /> : null}
      </div>
    </>
  )
}

function NavigateButton({
  step,
  onTurn: onNavigate,
}: {
  readonly step: 1 | -1
  readonly onTurn: (step: 1 | -1) => void
}) {
  const Icon = step === 1 ? ChevronRight : ChevronLeft
  return (
    <IconButton
      label={step === 1 ? mediaStrings.next : mediaStrings.previous}
      variant="secondary"
      className={step === 1 ? 'media-turn right-3' : 'media-turn left-3'}
      icon={<Icon {...iconProps} />}
      onClick={() => onNavigate(step)}
    />
  )
}

const iconProps = { 'aria-hidden': true, size: 18, strokeWidth: 1.75 } as const
