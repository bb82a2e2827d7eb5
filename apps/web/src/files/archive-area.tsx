import { downloadTexts } from '@sallyport/client/download/texts'
import { formatBytes } from '@sallyport/contract/formats'
import { useSyncExternalStore } from 'react'
import type { SealState } from '#/motifs/seal.tsx'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import { MemoryNote } from '#/transfer-views/memory-note.tsx'
import { shareDelivered, speakProgress, writeFigures } from '#/transfer-views/transfer-state.ts'
import type { ListedArchive } from '#/transfers/archives.ts'
import type { Tone } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { archiveWords } from '#/words/archive.ts'
import { transferOfArchive } from './archive-transfer.ts'
import { useFileWork } from './files-context.ts'

/** All files on their way back to this device, as one. */
export function ArchiveArea() {
  const { archives } = useFileWork()
  const [archive] = useSyncExternalStore(archives.subscribe, archives.current)
  if (!archive) return null
  return (
    <>
      <MemoryNote states={[archive.state]} />
      <Card aria-label={archiveWords.card}>
        <ArchiveRow archive={archive} />
      </Card>
    </>
  )
}

export function ArchiveRow({ archive }: { readonly archive: ListedArchive }) {
  const transfer = transferOfArchive(archive, Date.now())
  const { seal, badge, tone } = looks[archive.state.status]
  return (
    <TransferRow
      fileName={archive.name}
      seal={seal}
      badge={{ text: badge, tone }}
      label={`Unsealing ${archive.name}`}
      valueText={speakProgress(transfer)}
      delivered={shareDelivered(transfer)}
      figures={figuresOf(archive) ?? writeFigures(transfer)}
      note={noteOf(archive)}
      actions={<ArchiveActions archive={archive} />}
    />
  )
}

const looks: Record<
  ListedArchive['state']['status'],
  { readonly seal: SealState; readonly badge: string; readonly tone: Tone }
> = {
  waiting: { seal: 'waiting', badge: 'Waiting', tone: 'neutral' },
  receiving: { seal: 'sending', badge: 'Unsealing', tone: 'seal' },
  stuck: { seal: 'sending', badge: 'Paused', tone: 'brass' },
  done: { seal: 'sealed', badge: 'Saved', tone: 'seal' },
  cancelled: { seal: 'cancelled', badge: 'Cancelled', tone: 'neutral' },
  failed: { seal: 'failed', badge: 'Failed', tone: 'rust' },
}

/** How much there is of it is known only once it has begun. */
function figuresOf({ state }: ListedArchive) {
  if (state.status === 'waiting') return {}
  if (state.status !== 'done') return null
  const { saved } = state
  return 'blob' in saved ? { percent: '100%', bytes: formatBytes(saved.blob.size) } : { percent: '100%' }
}

function noteOf({ state }: ListedArchive) {
  if (state.status === 'cancelled') return <span>{downloadTexts.cancelled}</span>
  if (state.status === 'failed') return <span className="text-rust wrap-anywhere">{state.error.message}</span>
  if (state.status === 'stuck') {
    return (
      <span role="alert" className="text-brass-ink wrap-anywhere">
        {archiveWords.stuck(state.fileName, state.error.message)}
      </span>
    )
  }
  if (state.status !== 'done' || state.leftOut.length === 0) return undefined
  return <span className="wrap-anywhere">{archiveWords.leftOut(state.leftOut)}</span>
}

function ArchiveActions({ archive: { id, state } }: { readonly archive: ListedArchive }) {
  const { archives } = useFileWork()
  if (state.status === 'done') return null
  if (state.status === 'failed' || state.status === 'cancelled') {
    return (
      <>
        <Button onClick={() => archives.retry(id)}>
          {state.status === 'failed' ? archiveWords.retry : archiveWords.again}
        </Button>
        <Button variant="quiet" onClick={() => archives.dismiss(id)}>
          {archiveWords.dismiss}
        </Button>
      </>
    )
  }
  return (
    <>
      {state.status === 'stuck' ? (
        <>
          <Button onClick={archives.leaveFileOut}>{archiveWords.leaveOut}</Button>
          <Button onClick={archives.tryFileAgain}>{archiveWords.tryFileAgain}</Button>
        </>
      ) : null}
      <Button variant="quiet" onClick={() => archives.cancel(id)}>
        {archiveWords.cancel}
        <span className="sr-only"> download of all files</span>
      </Button>
    </>
  )
}
