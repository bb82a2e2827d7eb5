import { systemClock } from '@sallyport/client/clock'
import { formatBytes } from '@sallyport/contract/formats'
import { useState } from 'react'
import type { SealState } from '#/components/brand/seal.tsx'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import type { Tone } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { controlStrings } from '#/strings/controls.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shownTransfers } from './shown-transfers.ts'
import { describeProgress, formatFigures, shareDelivered, shareEncrypted, type Transfer } from './transfer-state.ts'

interface UploadCardProps {
  /** In a narrow container, as on phones, button labels are shorter. */
  readonly isNarrow?: boolean
  /** In the order in which they are sent. The card is hidden without any. */
  readonly uploads: readonly Transfer[]
  readonly onCancel: (upload: Transfer) => void
  readonly onRetry: (upload: Transfer) => void
  readonly onDismiss: (upload: Transfer) => void
}

const waitingStep = 12

/** The uploads, one row each. */
export function UploadCard(props: UploadCardProps) {
  if (props.uploads.length === 0) return null
  return (
    <Card aria-label={transferStrings.uploads} padded={false}>
      <UploadRows {...props} />
    </Card>
  )
}

/** The rows without the card. Of a long queue only the first are shown. */
export function UploadRows({ uploads, isNarrow = false, onCancel, onRetry, onDismiss }: UploadCardProps) {
  const [moreWaiting, setMoreWaiting] = useState(0)
  const { rows, waiting } = shownTransfers(uploads, { moreWaiting, now: systemClock.now() })
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.map((upload) => (
          <li key={upload.id} className="pad-card">
            <TransferRow
              fileName={upload.fileName}
              seal={sealStateOf(upload)}
              badge={badgeOf(upload)}
              label={transferStrings.uploadingFile(visibleFileName(upload.fileName))}
              valueText={describeProgress(upload)}
              encrypted={shareEncrypted(upload)}
              delivered={shareDelivered(upload)}
              figures={formatFigures(upload)}
              note={noteOf(upload)}
              actions={<UploadActions {...{ upload, isNarrow, onCancel, onRetry, onDismiss }} />}
            />
          </li>
        ))}
      </ul>
      {waiting.length > 0 ? (
        <WaitingSummary waiting={waiting} onShow={() => setMoreWaiting(moreWaiting + waitingStep)} />
      ) : null}
    </>
  )
}

interface WaitingSummaryProps {
  readonly waiting: readonly Transfer[]
  readonly onShow: () => void
}

function WaitingSummary({ waiting, onShow }: WaitingSummaryProps) {
  const size = formatBytes(waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-[var(--card-padding)] py-2.5 text-sm text-ink-2">
      <p>{intakeStrings.waiting(waiting.length, size)}</p>
      <Button variant="quiet" size="compact" className="-me-3 max-md:-ms-3" onClick={onShow}>
        {intakeStrings.showWaiting}
      </Button>
    </div>
  )
}

interface UploadActionsProps extends Omit<UploadCardProps, 'uploads'> {
  readonly upload: Transfer
}

function UploadActions({ upload, isNarrow, onCancel, onRetry, onDismiss }: UploadActionsProps) {
  const isCompact = useIsPhone() || isNarrow
  const { phase } = upload.state
  const subject = <span className="sr-only"> {visibleFileName(upload.fileName)}</span>

  if (phase === 'done') return null
  if (phase === 'failed' || phase === 'cancelled') {
    return (
      <>
        <Button onClick={() => onRetry(upload)}>
          {phase === 'failed' ? controlStrings.retry : transferStrings.uploadAgain}
          {subject}
        </Button>
        <Button variant="quiet" onClick={() => onDismiss(upload)}>
          {transferStrings.dismiss}
          {subject}
        </Button>
      </>
    )
  }
  return (
    <Button variant={isCompact ? 'quiet' : 'secondary'} onClick={() => onCancel(upload)}>
      {isCompact ? transferStrings.cancel : transferStrings.cancelUpload}
      {subject}
    </Button>
  )
}

function sealStateOf(upload: Transfer): SealState {
  const { phase } = upload.state
  if (phase === 'done') return 'sealed'
  if (phase === 'failed' || phase === 'cancelled') return phase
  if (phase === 'waiting') return 'idle'
  return shareDelivered(upload) > 0 ? 'sending' : 'encrypting'
}

function badgeOf(upload: Transfer): { readonly text: string; readonly tone: Tone } {
  const { phase } = upload.state
  const { states } = transferStrings
  if (phase === 'waiting') return { text: states.waiting, tone: 'neutral' }
  if (phase === 'failed') return { text: states.failed, tone: 'rust' }
  if (phase === 'cancelled') return { text: states.cancelled, tone: 'neutral' }
  if (phase === 'paused') return { text: states.paused, tone: 'brass' }
  if (phase === 'moving' && upload.state.isChecking) return { text: states.checking, tone: 'neutral' }
  return { text: shareEncrypted(upload) < 1 ? states.encrypting : states.encrypted, tone: 'seal' }
}

function noteOf({ state }: Transfer) {
  if (state.phase === 'failed') return <span className="text-rust wrap-anywhere">{state.message}</span>
  if (state.phase === 'paused') return <span className="text-brass-ink">{state.reason}</span>
  if (state.phase === 'cancelled') return <span>{transferStrings.uploadCancelled}</span>
  return undefined
}
