import { formatBytes } from '@sallyport/contract/formats'
import { useState } from 'react'
import type { SealState } from '#/motifs/seal.tsx'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import type { Tone } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { intakeWords } from '#/words/intake.ts'
import { shownTransfers } from './shown-transfers.ts'
import { shareDelivered, shareEncrypted, speakProgress, type Transfer, writeFigures } from './transfer-state.ts'

interface UploadCardProps {
  /** In a narrow place, as on phones: buttons say less. */
  readonly isNarrow?: boolean
  /** In the order they are sent; nothing is drawn without any. */
  readonly uploads: readonly Transfer[]
  readonly onCancel: (upload: Transfer) => void
  readonly onRetry: (upload: Transfer) => void
  readonly onDismiss: (upload: Transfer) => void
}

const firstWaiting = 4
const moreWaiting = 50

/** Files on their way to the server, one row each. */
export function UploadCard(props: UploadCardProps) {
  if (props.uploads.length === 0) return null
  return (
    <Card aria-label="Uploads" padded={false}>
      <UploadRows {...props} />
    </Card>
  )
}

/** The rows alone, of a long queue those at its front. */
export function UploadRows({ uploads, isNarrow = false, onCancel, onRetry, onDismiss }: UploadCardProps) {
  const [mostWaiting, setMostWaiting] = useState(firstWaiting)
  const { rows, waiting } = shownTransfers(uploads, mostWaiting)
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.map((upload) => (
          <li key={upload.id} className="pad-card">
            <TransferRow
              fileName={upload.fileName}
              seal={sealOf(upload)}
              badge={badgeOf(upload)}
              label={`Uploading ${upload.fileName}`}
              valueText={speakProgress(upload)}
              encrypted={shareEncrypted(upload)}
              delivered={shareDelivered(upload)}
              figures={writeFigures(upload)}
              note={noteOf(upload)}
              actions={<UploadActions {...{ upload, isNarrow, onCancel, onRetry, onDismiss }} />}
            />
          </li>
        ))}
      </ul>
      {waiting.length > 0 ? (
        <WaitingLine
          waiting={waiting}
          onShow={() => setMostWaiting(mostWaiting + moreWaiting)}
          onCancelAll={() => uploads.filter(isUnderWay).toReversed().forEach(onCancel)}
        />
      ) : null}
    </>
  )
}

interface WaitingLineProps {
  readonly waiting: readonly Transfer[]
  readonly onShow: () => void
  readonly onCancelAll: () => void
}

function WaitingLine({ waiting, onShow, onCancelAll }: WaitingLineProps) {
  const size = formatBytes(waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-[var(--card-padding)] py-2.5 text-sm text-ink-2">
      <p>{intakeWords.waiting(waiting.length, size)}</p>
      <p className="-me-3 flex max-md:-ms-3">
        <Button variant="quiet" size="compact" onClick={onShow}>
          {intakeWords.showWaiting}
        </Button>
        <Button variant="quiet" size="compact" onClick={onCancelAll}>
          {intakeWords.cancelAll}
        </Button>
      </p>
    </div>
  )
}

const isUnderWay = ({ state }: Transfer): boolean =>
  state.phase === 'waiting' || state.phase === 'moving' || state.phase === 'paused'

interface UploadActionsProps extends Omit<UploadCardProps, 'uploads'> {
  readonly upload: Transfer
}

function UploadActions({ upload, isNarrow, onCancel, onRetry, onDismiss }: UploadActionsProps) {
  const saysLess = useIsPhone() || isNarrow
  const { phase } = upload.state
  const subject = <span className="sr-only"> {upload.fileName}</span>

  if (phase === 'done') return null
  if (phase === 'failed' || phase === 'cancelled') {
    return (
      <>
        <Button onClick={() => onRetry(upload)}>
          {phase === 'failed' ? 'Retry' : 'Upload again'}
          {subject}
        </Button>
        <Button variant="quiet" onClick={() => onDismiss(upload)}>
          Dismiss
          {subject}
        </Button>
      </>
    )
  }
  return (
    <Button variant={saysLess ? 'quiet' : 'secondary'} onClick={() => onCancel(upload)}>
      {saysLess ? 'Cancel' : 'Cancel Upload'}
      {subject}
    </Button>
  )
}

function sealOf(upload: Transfer): SealState {
  const { phase } = upload.state
  if (phase === 'done') return 'sealed'
  if (phase === 'failed' || phase === 'cancelled') return phase
  if (phase === 'waiting') return 'idle'
  return shareDelivered(upload) > 0 ? 'sending' : 'encrypting'
}

function badgeOf(upload: Transfer): { readonly text: string; readonly tone: Tone } {
  const { phase } = upload.state
  if (phase === 'waiting') return { text: 'Waiting', tone: 'neutral' }
  if (phase === 'failed') return { text: 'Failed', tone: 'rust' }
  if (phase === 'cancelled') return { text: 'Cancelled', tone: 'neutral' }
  if (phase === 'paused') return { text: 'Paused', tone: 'brass' }
  if (phase === 'moving' && upload.state.isChecking) return { text: 'Checking', tone: 'neutral' }
  return { text: shareEncrypted(upload) < 1 ? 'Encrypting' : 'Encrypted', tone: 'seal' }
}

function noteOf({ state }: Transfer) {
  if (state.phase === 'failed') return <span className="text-rust wrap-anywhere">{state.message}</span>
  if (state.phase === 'paused') return <span className="text-brass-ink">{state.reason}</span>
  if (state.phase === 'cancelled') return <span>Nothing was kept.</span>
  return undefined
}
