import { formatPercent } from '@sallyport/contract/formats'
import { type CSSProperties, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { Seal } from '#/motifs/seal.tsx'
import { TransferBar } from '#/motifs/transfer-bar.tsx'
import { Button } from '#/ui/button.tsx'
import { fileWords } from '#/words/files.ts'
import { mediaWords } from '#/words/media.ts'
import type { Preview } from './media-type.ts'
import type { useFingers } from './use-fingers.ts'
import type { useOpenedFile } from './use-opened-file.ts'

interface MediaStageProps {
  readonly name: string
  readonly preview: Preview
  readonly opened: ReturnType<typeof useOpenedFile>
  readonly fingers: ReturnType<typeof useFingers>
}

/** The picture or the film, once it is here; until then how far it has come, or why it does not. */
export function MediaStage({ name, preview, opened, fingers }: MediaStageProps) {
  const [isUnreadable, setUnreadable] = useState(false)
  const { shown, state } = opened
  const { view, isMoving, handlers } = fingers
  const place = { '--x': `${view.x}px`, '--y': `${view.y}px`, '--scale': view.scale } as CSSProperties

  if (isUnreadable) return <Trouble text={mediaWords.unreadable} />
  if (state?.status === 'failed') {
    return <Trouble text={speak(state.error, mediaWords.failed)} onRetry={opened.retry} />
  }
  if (!shown) return <Opening name={name} share={shareOf(state)} />
  const fail = () => setUnreadable(true)
  return (
    <div className="media-view" style={place} data-moving={isMoving || undefined} {...handlers}>
      {preview.kind === 'picture' ? (
        <img src={shown.address} alt={name} draggable={false} onError={fail} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what people store has no captions of ours.
        <video
          src={shown.address}
          aria-label={name}
          controls
          playsInline
          onError={fail}
          // Its own controls take what is pressed on them.
          onPointerDown={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
        />
      )}
    </div>
  )
}

type State = ReturnType<typeof useOpenedFile>['state']

const shareOf = (state: State): number =>
  state?.status === 'receiving' && state.totalBytes > 0 ? state.receivedBytes / state.totalBytes : 0

function Opening({ name, share }: { readonly name: string; readonly share: number }) {
  return (
    <div className="grid w-56 justify-items-center gap-4">
      <Seal state="sending" delivered={share} size={72} />
      <TransferBar
        label={`Unsealing ${name}`}
        delivered={share}
        valueText={formatPercent(share).replace('%', ' percent')}
        className="w-full"
      />
      <p className="num text-sm text-ink-2">{formatPercent(share)}</p>
    </div>
  )
}

function Trouble({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div role="alert" className="grid max-w-form justify-items-center gap-4 px-5 text-center">
      <p className="text-base wrap-anywhere">{text}</p>
      {onRetry ? <Button onClick={onRetry}>{fileWords.retry}</Button> : null}
    </div>
  )
}
