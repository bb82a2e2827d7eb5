import { formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Seal, type SealState } from '#/motifs/seal.tsx'
import { TransferBar } from '#/motifs/transfer-bar.tsx'
import { TransferRow } from '#/motifs/transfer-row.tsx'
import { DownloadRows } from '#/transfer-views/download-card.tsx'
import { type OtherTransfer, shareDelivered, speakProgress, writeFigures } from '#/transfer-views/transfer-state.ts'
import { sumTransfers, type TransferSum } from '#/transfer-views/transfer-sum.ts'
import { UploadRows } from '#/transfer-views/upload-card.tsx'
import { useHeightVariable } from '#/ui/use-height-variable.ts'
import { transferWords } from '#/words/transfers.ts'
import { ArchiveRow } from './archive-area.tsx'
import { useFileWork } from './files-context.ts'
import { useTransfers } from './use-transfers.ts'

interface TransferDockProps {
  /** The screen that is shown tells of these transfers itself. */
  readonly shownHere: 'files' | 'portal' | null
}

/** Follows whoever goes to another screen while files move: one line with the whole, and a row for each on request. */
export function TransferDock({ shownHere }: TransferDockProps) {
  const { own, others, all } = useTransfers()
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  const dock = useRef<HTMLElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const untold = { files: others, portal: own }
  const shown = shownHere === null ? all : untold[shownHere]
  const isOpen = shown.length > 0
  const sum = sumTransfers(shown)

  useHeightVariable(head, isOpen ? '--dock' : null)
  useEffect(() => {
    // The row whose button was pressed last is gone, and the dock with it.
    if (!isOpen && dock.current?.contains(document.activeElement)) document.getElementById('main')?.focus()
  }, [isOpen])

  return (
    <section
      ref={dock}
      aria-label={transferWords.dock}
      className="transfer-dock"
      data-open={isOpen || undefined}
      inert={!isOpen}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setExpanded(false)
      }}
    >
      <div id={listId} hidden={!isExpanded} className="transfer-dock-list">
        {isOpen && isExpanded ? <DockRows shownHere={shownHere} /> : null}
      </div>
      <div ref={head} className="transfer-dock-head">
        <DockSum key={String(isOpen)} sum={sum} isShown={isOpen} />
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={listId}
          aria-label={isExpanded ? transferWords.hide : transferWords.show}
          className="transfer-dock-toggle"
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? (
            <ChevronDown aria-hidden size={18} strokeWidth={1.75} />
          ) : (
            <ChevronUp aria-hidden size={18} strokeWidth={1.75} />
          )}
        </button>
      </div>
    </section>
  )
}

interface DockSumProps {
  readonly sum: TransferSum
  readonly isShown: boolean
}

/** Left as it is while nobody sees it: drawing the seal costs the same behind the scenes. */
const DockSum = memo(DrawnSum, (_before, { isShown }) => !isShown)

function DrawnSum({ sum }: DockSumProps) {
  const { underWay, encrypted, delivered, bytesPerSecond } = sum
  const isMoving = underWay > 0
  const percent = formatPercent(delivered)
  return (
    <>
      <Seal state={sealOf(sum)} encrypted={encrypted} delivered={delivered} size={56} className="size-10" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="truncate font-semibold">{sayWhat(sum)}</span>
          {isMoving ? (
            <span className="flex shrink-0 items-baseline gap-2.5 text-ink-2">
              {bytesPerSecond === null ? null : <span className="num text-xs">{formatSpeed(bytesPerSecond)}</span>}
              <span className="num">{percent}</span>
            </span>
          ) : null}
        </p>
        {isMoving ? (
          <TransferBar
            label={transferWords.all}
            valueText={percent.replace('%', ' percent')}
            encrypted={encrypted}
            delivered={delivered}
          />
        ) : null}
      </div>
    </>
  )
}

function DockRows({ shownHere }: TransferDockProps) {
  const { others } = useTransfers()
  return (
    <div className="divide-y divide-line">
      {shownHere === 'files' ? null : <OwnRows />}
      {shownHere === 'portal' ? null : others.map((one) => <OtherRow key={one.id} transfer={one} />)}
    </div>
  )
}

function OwnRows() {
  const { uploads, downloads, savings, archives } = useFileWork()
  const transfers = useTransfers()
  const [archive] = useSyncExternalStore(archives.subscribe, archives.current)
  return (
    <>
      {transfers.uploads.length > 0 ? (
        <UploadRows
          isNarrow
          uploads={transfers.uploads}
          onCancel={({ id }) => uploads.cancel(id)}
          onRetry={({ id }) => uploads.retry(id)}
          onDismiss={({ id }) => uploads.dismiss(id)}
        />
      ) : null}
      {transfers.downloads.length > 0 ? (
        <DownloadRows
          isNarrow
          downloads={transfers.downloads}
          onCancel={({ id }) => {
            downloads.cancel(id)
            savings.cancel(id)
          }}
          onRetry={({ id }) => downloads.retry(id)}
          onDismiss={({ id }) => downloads.dismiss(id)}
        />
      ) : null}
      {archive ? (
        <div className="pad-card">
          <ArchiveRow archive={archive} />
        </div>
      ) : null}
    </>
  )
}

function OtherRow({ transfer }: { readonly transfer: OtherTransfer }) {
  const { fileName, badge, state } = transfer
  const isFailed = state.phase === 'failed'
  return (
    <div className="pad-card">
      <TransferRow
        fileName={fileName}
        seal={sealOf(sumTransfers([transfer]))}
        badge={{ text: badge, tone: isFailed ? 'rust' : 'seal' }}
        label={`${badge} ${fileName}`}
        valueText={speakProgress(transfer)}
        delivered={shareDelivered(transfer)}
        figures={writeFigures(transfer)}
        note={isFailed ? <span className="text-rust wrap-anywhere">{state.message}</span> : undefined}
      />
    </div>
  )
}

function sealOf({ underWay, failed, done, delivered }: TransferSum): SealState {
  if (underWay > 0) return delivered > 0 ? 'sending' : 'encrypting'
  if (failed > 0) return 'failed'
  return done > 0 ? 'sealed' : 'cancelled'
}

function sayWhat({ underWay, failed, done }: TransferSum): string {
  if (underWay > 0) return transferWords.underWay(underWay)
  if (failed > 0) return transferWords.failed(failed)
  return done > 0 ? transferWords.done : transferWords.stopped
}
