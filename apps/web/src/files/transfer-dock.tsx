import { formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Seal, type SealState } from '#/motifs/seal.tsx'
import { TransferBar } from '#/motifs/transfer-bar.tsx'
import { DownloadRows } from '#/transfer-views/download-card.tsx'
import { sumTransfers, type TransferSum } from '#/transfer-views/transfer-sum.ts'
import { UploadRows } from '#/transfer-views/upload-card.tsx'
import { useHeightVariable } from '#/ui/use-height-variable.ts'
import { transferWords } from '#/words/transfers.ts'
import { ArchiveRow } from './archive-area.tsx'
import { useFileWork } from './files-context.ts'
import { useTransfers } from './use-transfers.ts'

interface TransferDockProps {
  /** The screen that is shown does not tell of transfers itself. */
  readonly isElsewhere: boolean
}

/** Follows whoever goes to another screen while files move: one line with the whole, and a row for each on request. */
export function TransferDock({ isElsewhere }: TransferDockProps) {
  const { all } = useTransfers()
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  const dock = useRef<HTMLElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const isOpen = isElsewhere && all.length > 0
  const sum = sumTransfers(all)

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
        {isOpen && isExpanded ? <DockRows /> : null}
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

function DockRows() {
  const { uploads, downloads, savings, archives } = useFileWork()
  const transfers = useTransfers()
  const [archive] = useSyncExternalStore(archives.subscribe, archives.current)
  return (
    <div className="divide-y divide-line">
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
