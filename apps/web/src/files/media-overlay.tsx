import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, Share2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { handToDevice } from '#/transfers/hand-to-device.ts'
import { saveBlob } from '#/transfers/save-blob.ts'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { mediaWords } from '#/words/media.ts'
import { useFileWork } from './files-context.ts'
import { MediaStage } from './media-stage.tsx'
import { cameraRollType, type Preview, previewOf } from './media-type.ts'
import type { StoredFile } from './stored-files.ts'
import { useFingers } from './use-fingers.ts'
import { useOpenedFile } from './use-opened-file.ts'

interface MediaOverlayProps {
  /** In the order of the list; those that cannot be shown are passed over. */
  readonly files: readonly StoredFile[]
  readonly shownId: string
  readonly onShow: (fileId: string) => void
  readonly onShare: (file: StoredFile) => void
  readonly onClose: () => void
  /** A sheet over the picture. */
  readonly children?: ReactNode
}

/** Pictures and films over the whole page, one at a time. What is gone from the list is not shown any more. */
export function MediaOverlay({ files, shownId, onShow, onShare, onClose, children }: MediaOverlayProps) {
  const shownFiles = files.flatMap((file) => {
    const preview = previewOf(file.name)
    return preview ? [{ file, preview }] : []
  })
  const index = shownFiles.findIndex(({ file }) => file.id === shownId)
  const shown = shownFiles[index]
  const isGone = shown === undefined

  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])

  function turn(step: 1 | -1) {
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
        <Dialog.Popup className="media-overlay" data-theme="dark" onKeyDown={(event) => turnByKey(event, turn)}>
          <Media
            key={shownId}
            {...shown}
            position={{ index, count: shownFiles.length }}
            onTurn={turn}
            onShare={onShare}
            onClose={onClose}
          />
        </Dialog.Popup>
        {children}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A film takes the arrow keys for itself. */
function turnByKey({ key, target }: KeyboardEvent, turn: (step: 1 | -1) => void): void {
  if (target instanceof HTMLVideoElement) return
  if (key === 'ArrowRight') turn(1)
  if (key === 'ArrowLeft') turn(-1)
}

interface MediaProps extends Pick<MediaOverlayProps, 'onShare' | 'onClose'> {
  readonly file: StoredFile
  readonly preview: Preview
  readonly position: { readonly index: number; readonly count: number }
  readonly onTurn: (step: 1 | -1) => void
}

function Media({ file, preview, position, onTurn, onShare, onClose }: MediaProps) {
  const isPhone = useIsPhone()
  const opened = useOpenedFile(file, preview)
  const { downloads } = useFileWork()
  const fingers = useFingers({ onClose, onTurn })
  const { shown, markCopied } = opened

  function save() {
    if (!shown) return
    if (!shown.blob) return downloads.start(file)
    markCopied()
    const type = cameraRollType(file.name)
    if (isPhone && type !== null) void handToDevice(shown.blob, { name: file.name, type })
    else saveBlob(shown.blob, file.name)
  }

  return (
    <>
      <div className="media-bar">
        <Dialog.Close render={<IconButton label={mediaWords.close} icon={<X {...icon} />} />} />
        <div className="me-auto min-w-0">
          <Dialog.Title className="truncate text-base font-semibold">
            <bdi title={file.name}>{file.name}</bdi>
          </Dialog.Title>
          {position.count > 1 ? (
            <p className="num text-ink-2">{mediaWords.position(position.index + 1, position.count)}</p>
          ) : null}
        </div>
        <Button disabled={!shown} icon={<Download {...icon} />} onClick={save}>
          {mediaWords.save}
        </Button>
        <Button icon={<Share2 {...icon} />} onClick={() => onShare(file)}>
          {mediaWords.share}
        </Button>
      </div>
      <div className="media-stage">
        <MediaStage name={file.name} preview={preview} opened={opened} fingers={fingers} />
        {position.index > 0 ? <Turn step={-1} onTurn={onTurn} /> : null}
        {position.index < position.count - 1 ? <Turn step={1} onTurn={onTurn} /> : null}
      </div>
    </>
  )
}

function Turn({ step, onTurn }: { readonly step: 1 | -1; readonly onTurn: (step: 1 | -1) => void }) {
  const Picture = step === 1 ? ChevronRight : ChevronLeft
  return (
    <IconButton
      label={step === 1 ? mediaWords.next : mediaWords.previous}
      variant="secondary"
      className={step === 1 ? 'media-turn right-3' : 'media-turn left-3'}
      icon={<Picture {...icon} />}
      onClick={() => onTurn(step)}
    />
  )
}

const icon = { 'aria-hidden': true, size: 18, strokeWidth: 1.75 } as const
