import { systemClock } from '@sallyport/client/clock'
import { formatBytes } from '@sallyport/contract/formats'
import type { ListedArchive } from '@sallyport/transfers/browser/downloads/archives'
import { useSyncExternalStore } from 'react'
import type { SealState } from '#/components/brand/seal.tsx'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { MemoryWarning } from '#/components/transfers/memory-warning.tsx'
import { describeProgress, formatFigures, shareDelivered } from '#/components/transfers/transfer-state.ts'
import type { Tone } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { archiveStrings } from '#/strings/archive.ts'
import { controlStrings } from '#/strings/controls.ts'
import { describeArchive } from '#/strings/errors/archive-errors.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatList } from '#/strings/format.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { useFilesContext } from '../files-context.ts'
import { archiveToTransfer } from './archive-transfer.ts'

/** The download of all files as one archive. */
export function ArchiveArea() {
  const { archives } = useFilesContext()
  const [archive] = useSyncExternalStore(archives.subscribe, archives.current)
  if (!archive) return null
  return (
    <>
      <MemoryWarning states={[archive.state]} />
      <Card aria-label={archiveStrings.card}>
        <ArchiveRow archive={archive} />
      </Card>
    </>
  )
}

export function ArchiveRow({ archive }: { readonly archive: ListedArchive }) {
  const transfer = archiveToTransfer(archive, systemClock.now())
  const { seal: sealState, state, tone } = appearances[archive.state.status]
  return (
    <TransferRow
      fileName={archive.name}
      seal={sealState}
      badge={{ text: transferStrings.states[state], tone }}
      label={transferStrings.decryptingFile(visibleFileName(archive.name))}
      valueText={describeProgress(transfer)}
      delivered={shareDelivered(transfer)}
      figures={figuresOf(archive) ?? formatFigures(transfer)}
      note={noteOf(archive)}
      actions={<ArchiveActions archive={archive} />}
    />
  )
}

const appearances: Record<
  ListedArchive['state']['status'],
  { readonly seal: SealState; readonly state: keyof typeof transferStrings.states; readonly tone: Tone }
> = {
  waiting: { seal: 'waiting', state: 'waiting', tone: 'neutral' },
  receiving: { seal: 'sending', state: 'decrypting', tone: 'seal' },
  decrypting: { seal: 'sending', state: 'saving', tone: 'seal' },
  stuck: { seal: 'sending', state: 'paused', tone: 'brass' },
  done: { seal: 'sealed', state: 'saved', tone: 'seal' },
  cancelled: { seal: 'cancelled', state: 'cancelled', tone: 'neutral' },
  failed: { seal: 'failed', state: 'failed', tone: 'rust' },
}

/** The total size is known only once the download has started. */
function figuresOf({ state }: ListedArchive) {
  if (state.status === 'waiting') return {}
  if (state.status !== 'done') return null
  const { saved } = state
  return 'blob' in saved ? { percent: '100%', bytes: formatBytes(saved.blob.size) } : { percent: '100%' }
}

function noteOf({ state }: ListedArchive) {
  if (state.status === 'cancelled') return <span>{transferStrings.downloadCancelled}</span>
  if (state.status === 'failed')
    return (
      <span className="text-rust wrap-anywhere">
        {messageFor(state.error, transferStrings.unexpected, describeArchive)}
      </span>
    )
  if (state.status === 'stuck') {
    return (
      <span role="alert" className="text-brass-ink wrap-anywhere">
        {archiveStrings.fileFailed(
          visibleFileName(state.fileName),
          messageFor(state.error, transferStrings.unexpected, describeArchive),
        )}
      </span>
    )
  }
  if (state.status !== 'done' || state.skipped.length === 0) return undefined
  return (
    <span className="wrap-anywhere">{archiveStrings.savedWithout(formatList(state.skipped.map(visibleFileName)))}</span>
  )
}

function ArchiveActions({ archive: { id, state } }: { readonly archive: ListedArchive }) {
  const { archives } = useFilesContext()
  if (state.status === 'done') return null
  if (state.status === 'failed' || state.status === 'cancelled') {
    return (
      <>
        <Button onClick={() => archives.retry(id)}>
          {state.status === 'failed' ? controlStrings.retry : archiveStrings.downloadAgain}
        </Button>
        <Button variant="quiet" onClick={() => archives.dismiss(id)}>
          {archiveStrings.dismiss}
        </Button>
      </>
    )
  }
  return (
    <>
      {state.status === 'stuck' ? (
        <>
          <Button onClick={archives.skipFile}>{archiveStrings.continueWithout}</Button>
          <Button onClick={archives.retryFile}>{archiveStrings.retryFile}</Button>
        </>
      ) : null}
      <Button variant="quiet" onClick={() => archives.cancel(id)}>
        {archiveStrings.cancel}
        <span className="sr-only"> {transferStrings.ofAllFiles}</span>
      </Button>
    </>
  )
}
