import { formatPercent } from '@sallyport/contract/formats'
import { type CSSProperties, useState } from 'react'
import { Seal } from '#/components/brand/seal.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Button } from '#/components/ui/button.tsx'
import { controlStrings } from '#/strings/controls.ts'
import { describeDownload } from '#/strings/errors/download-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { mediaStrings } from '#/strings/media.ts'
import { transferStrings } from '#/strings/transfers.ts'
import type { Preview } from './media-type.ts'
import type { useGestures } from './use-gestures.ts'
import type { useOpenedFile } from './use-opened-file.ts'

interface MediaStageProps {
  readonly name: string
  readonly preview: Preview
  readonly opened: ReturnType<typeof useOpenedFile>
  readonly gestures: ReturnType<typeof useGestures>
}

/** Shows the image or video once it is loaded, and before that the progress or the error. */
export function MediaStage({ name, preview, opened, gestures }: MediaStageProps) {
  const [isUnreadable, setUnreadable] = useState(false)
  const { shown, state } = opened
  const { view, isMoving, handlers } = gestures
  const transform = { '--x': `${view.x}px`, '--y': `${view.y}px`, '--scale': view.scale } as CSSProperties

  if (isUnreadable) return <MediaError text={mediaStrings.unreadable} />
  if (state?.status === 'failed') {
    return <MediaError text={messageFor(state.error, mediaStrings.failed, describeDownload)} onRetry={opened.retry} />
  }
  if (!shown) return <MediaProgress name={name} share={shareOf(state)} />
  const handleError = () => setUnreadable(true)
  return (
    <div className="media-view" style={transform} data-moving={isMoving || undefined} {...handlers}>
      {preview.kind === 'picture' ? (
        <img src={shown.url} alt={visibleFileName(name)} draggable={false} onError={handleError} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: user files have no captions.
        <video
          src={shown.url}
          aria-label={visibleFileName(name)}
          controls
          playsInline
          onError={handleError}
          // The controls of the video handle pointer events themselves.
          onPointerDown={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
        />
      )}
    </div>
  )
}

type MediaState = ReturnType<typeof useOpenedFile>['state']

const shareOf = (state: MediaState): number =>
  state?.status === 'receiving' && state.totalBytes > 0 ? state.receivedBytes / state.totalBytes : 0

function MediaProgress({ name, share }: { readonly name: string; readonly share: number }) {
  return (
    <div className="grid w-56 justify-items-center gap-4">
      <Seal state="sending" delivered={share} size={72} />
      <TransferBar
        label={transferStrings.decryptingFile(visibleFileName(name))}
        delivered={share}
        valueText={transferStrings.percent(Math.floor(share * 100))}
        className="w-full"
      />
      <p className="num text-sm text-ink-2">{formatPercent(share)}</p>
    </div>
  )
}

function MediaError({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div role="alert" className="grid max-w-form justify-items-center gap-4 px-5 text-center">
      <p className="text-base wrap-anywhere">{text}</p>
      {onRetry ? <Button onClick={onRetry}>{controlStrings.retry}</Button> : null}
    </div>
  )
}
