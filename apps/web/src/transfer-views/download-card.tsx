import { downloadTexts } from '@sallyport/client/download/texts'
import type { SealState } from '#/motifs/seal.tsx'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import type { Tone } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { shareDelivered, speakProgress, type Transfer, writeFigures } from './transfer-state.ts'

interface DownloadCardProps {
  /** In a narrow place, as on phones: buttons say less. */
  readonly isNarrow?: boolean
  /** Nothing is drawn without any. */
  readonly downloads: readonly Transfer[]
  readonly onCancel: (download: Transfer) => void
  readonly onRetry: (download: Transfer) => void
  readonly onDismiss: (download: Transfer) => void
}

/** Files on their way back, unsealed as they arrive. */
export function DownloadCard(props: DownloadCardProps) {
  if (props.downloads.length === 0) return null
  return (
    <Card aria-label="Downloads" padded={false}>
      <DownloadRows {...props} />
    </Card>
  )
}

/** The rows alone. */
export function DownloadRows({ downloads, isNarrow = false, onCancel, onRetry, onDismiss }: DownloadCardProps) {
  return (
    <ul className="divide-y divide-line">
      {downloads.map((download) => (
        <li key={download.id} className="pad-card">
          <TransferRow
            fileName={download.fileName}
            seal={sealOf(download)}
            badge={badges[download.state.phase]}
            label={`Unsealing ${download.fileName}`}
            valueText={speakProgress(download)}
            delivered={shareDelivered(download)}
            figures={writeFigures(download)}
            note={noteOf(download)}
            actions={<DownloadActions {...{ download, isNarrow, onCancel, onRetry, onDismiss }} />}
          />
        </li>
      ))}
    </ul>
  )
}

interface DownloadActionsProps extends Omit<DownloadCardProps, 'downloads'> {
  readonly download: Transfer
}

function DownloadActions({ download, isNarrow, onCancel, onRetry, onDismiss }: DownloadActionsProps) {
  const saysLess = useIsPhone() || isNarrow
  const { phase } = download.state
  const subject = <span className="sr-only"> {download.fileName}</span>

  if (phase === 'done') return null
  if (phase === 'failed' || phase === 'cancelled') {
    return (
      <>
        <Button onClick={() => onRetry(download)}>
          {phase === 'failed' ? 'Retry' : 'Download again'}
          {subject}
        </Button>
        <Button variant="quiet" onClick={() => onDismiss(download)}>
          Dismiss
          {subject}
        </Button>
      </>
    )
  }
  return (
    <Button variant={saysLess ? 'quiet' : 'secondary'} onClick={() => onCancel(download)}>
      Cancel
      <span className="sr-only"> download of {download.fileName}</span>
    </Button>
  )
}

const badges: Record<Transfer['state']['phase'], { readonly text: string; readonly tone: Tone }> = {
  waiting: { text: 'Waiting', tone: 'neutral' },
  moving: { text: 'Unsealing', tone: 'seal' },
  paused: { text: 'Paused', tone: 'brass' },
  done: { text: 'Saved', tone: 'seal' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
  failed: { text: 'Failed', tone: 'rust' },
}

function sealOf({ state }: Transfer): SealState {
  if (state.phase === 'done') return 'sealed'
  if (state.phase === 'failed' || state.phase === 'cancelled') return state.phase
  return state.phase === 'waiting' ? 'waiting' : 'sending'
}

function noteOf({ state }: Transfer) {
  if (state.phase === 'failed') return <span className="text-rust wrap-anywhere">{state.message}</span>
  if (state.phase === 'paused') return <span className="text-brass-ink">{state.reason}</span>
  if (state.phase === 'cancelled') return <span>{downloadTexts.cancelled}</span>
  return undefined
}
