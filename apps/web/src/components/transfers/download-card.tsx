import type { SealState } from '#/components/brand/seal.tsx'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import type { Tone } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { controlStrings } from '#/strings/controls.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { describeProgress, formatFigures, shareDelivered, type Transfer } from './transfer-state.ts'

interface DownloadCardProps {
  /** In a narrow container, as on phones, button labels are shorter. */
  readonly isNarrow?: boolean
  /** The card is hidden without any. */
  readonly downloads: readonly Transfer[]
  readonly onCancel: (download: Transfer) => void
  readonly onRetry: (download: Transfer) => void
  readonly onDismiss: (download: Transfer) => void
}

/** The downloads, which are decrypted as they arrive. */
export function DownloadCard(props: DownloadCardProps) {
  if (props.downloads.length === 0) return null
  return (
    <Card aria-label={transferStrings.downloads} padded={false}>
      <DownloadRows {...props} />
    </Card>
  )
}

/** The rows without the card. */
export function DownloadRows({ downloads, isNarrow = false, onCancel, onRetry, onDismiss }: DownloadCardProps) {
  return (
    <ul className="divide-y divide-line">
      {downloads.map((download) => (
        <li key={download.id} className="pad-card">
          <TransferRow
            fileName={download.fileName}
            seal={sealStateOf(download)}
            badge={badgeOf(download)}
            label={transferStrings.decryptingFile(visibleFileName(download.fileName))}
            valueText={describeProgress(download)}
            delivered={shareDelivered(download)}
            figures={formatFigures(download)}
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
  const isCompact = useIsPhone() || isNarrow
  const { phase } = download.state
  const subject = <span className="sr-only"> {visibleFileName(download.fileName)}</span>

  if (phase === 'done') return null
  if (phase === 'failed' || phase === 'cancelled') {
    return (
      <>
        <Button onClick={() => onRetry(download)}>
          {phase === 'failed' ? controlStrings.retry : transferStrings.downloadAgain}
          {subject}
        </Button>
        <Button variant="quiet" onClick={() => onDismiss(download)}>
          {transferStrings.dismiss}
          {subject}
        </Button>
      </>
    )
  }
  return (
    <Button variant={isCompact ? 'quiet' : 'secondary'} onClick={() => onCancel(download)}>
      {transferStrings.cancel}
      <span className="sr-only"> {transferStrings.ofDownload(visibleFileName(download.fileName))}</span>
    </Button>
  )
}

const tones: Record<Transfer['state']['phase'], Tone> = {
  waiting: 'neutral',
  moving: 'seal',
  paused: 'brass',
  done: 'seal',
  cancelled: 'neutral',
  failed: 'rust',
}

function badgeOf({ state }: Transfer): { readonly text: string; readonly tone: Tone } {
  const { waiting, decrypting, saving, paused, saved, cancelled, failed } = transferStrings.states
  const moving = state.phase === 'moving' && state.isDecrypting ? saving : decrypting
  return { text: { waiting, moving, paused, done: saved, cancelled, failed }[state.phase], tone: tones[state.phase] }
}

function sealStateOf({ state }: Transfer): SealState {
  if (state.phase === 'done') return 'sealed'
  if (state.phase === 'failed' || state.phase === 'cancelled') return state.phase
  return state.phase === 'waiting' ? 'waiting' : 'sending'
}

function noteOf({ state }: Transfer) {
  if (state.phase === 'failed') return <span className="text-rust wrap-anywhere">{state.message}</span>
  if (state.phase === 'paused') return <span className="text-brass-ink">{state.reason}</span>
  if (state.phase === 'cancelled') return <span>{transferStrings.downloadCancelled}</span>
  return undefined
}
