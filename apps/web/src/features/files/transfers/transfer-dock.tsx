import { formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Seal, type SealState } from '#/components/brand/seal.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { DownloadRows } from '#/components/transfers/download-card.tsx'
import {
  describeProgress,
  formatFigures,
  type OtherTransfer,
  shareDelivered,
} from '#/components/transfers/transfer-state.ts'
import { sumTransfers, type TransferSum } from '#/components/transfers/transfer-sum.ts'
import { UploadRows } from '#/components/transfers/upload-card.tsx'
import { useHeightVariable } from '#/components/ui/hooks/use-height-variable.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { useFilesContext } from '../files-context.ts'
import { ArchiveRow } from './archive-area.tsx'
import { useTransfers } from './use-transfers.ts'

interface TransferDockProps {
  /** The screen whose own transfers are not repeated in the dock. */
  readonly currentScreen: 'files' | 'portal' | null
}

/** Shows the transfers on screens other than their own: one summary line, and a row for each when expanded. */
export function TransferDock({ currentScreen }: TransferDockProps) {
  const { own, others, all } = useTransfers()
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  const dock = useRef<HTMLElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const transfersElsewhere = { files: others, portal: own }
  const shown = currentScreen === null ? all : transfersElsewhere[currentScreen]
  const isOpen = shown.length > 0
  const sum = sumTransfers(shown)

  useHeightVariable(head, isOpen ? '--dock' : null)
  useEffect(() => {
    // Restores the focus when the focused button disappears with the dock.
    if (!isOpen && dock.current?.contains(document.activeElement)) document.getElementById('main')?.focus()
  }, [isOpen])

  return (
    <section
      ref={dock}
      aria-label={transferStrings.dock}
      className="transfer-dock"
      data-open={isOpen || undefined}
      inert={!isOpen}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setExpanded(false)
      }}
    >
      <div id={listId} hidden={!isExpanded} className="transfer-dock-list">
        {isOpen && isExpanded ? <DockRows currentScreen={currentScreen} /> : null}
      </div>
      <div ref={head} className="transfer-dock-head">
        <DockSummary key={String(isOpen)} sum={sum} isShown={isOpen} />
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={listId}
          aria-label={isExpanded ? transferStrings.hide : transferStrings.show}
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

interface DockSummaryProps {
  readonly sum: TransferSum
  readonly isShown: boolean
}

/** Not updated while hidden, because rendering the seal is expensive even then. */
const DockSummary = memo(DockSummaryContent, (_before, { isShown }) => !isShown)

function DockSummaryContent({ sum }: DockSummaryProps) {
  const { active, encrypted, delivered, bytesPerSecond } = sum
  const isMoving = active > 0
  const percent = formatPercent(delivered)
  return (
    <>
      <Seal state={sealStateOf(sum)} encrypted={encrypted} delivered={delivered} size={56} className="size-10" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="truncate font-semibold">{summaryText(sum)}</span>
          {isMoving ? (
            <span className="flex shrink-0 items-baseline gap-2.5 text-ink-2">
              {bytesPerSecond === null ? null : <span className="num text-xs">{formatSpeed(bytesPerSecond)}</span>}
              <span className="num">{percent}</span>
            </span>
          ) : null}
        </p>
        {isMoving ? (
          <TransferBar
            label={transferStrings.all}
            valueText={percent.replace('%', ' percent')}
            encrypted={encrypted}
            delivered={delivered}
          />
        ) : null}
      </div>
    </>
  )
}

function DockRows({ currentScreen }: TransferDockProps) {
  const { others } = useTransfers()
  return (
    <div className="divide-y divide-line">
      {currentScreen === 'files' ? null : <OwnRows />}
      {currentScreen === 'portal' ? null : others.map((transfer) => <OtherRow key={transfer.id} transfer={transfer} />)}
    </div>
  )
}

function OwnRows() {
  const { uploads, downloads, deviceSaves, archives } = useFilesContext()
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
            deviceSaves.cancel(id)
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
        seal={sealStateOf(sumTransfers([transfer]))}
        badge={{ text: badge, tone: isFailed ? 'rust' : 'seal' }}
        label={`${badge} ${visibleFileName(fileName)}`}
        valueText={describeProgress(transfer)}
        delivered={shareDelivered(transfer)}
        figures={formatFigures(transfer)}
        note={isFailed ? <span className="text-rust wrap-anywhere">{state.message}</span> : undefined}
      />
    </div>
  )
}

function sealStateOf({ active, failed, done, delivered }: TransferSum): SealState {
  if (active > 0) return delivered > 0 ? 'sending' : 'encrypting'
  if (failed > 0) return 'failed'
  return done > 0 ? 'sealed' : 'cancelled'
}

function summaryText({ active, failed, done }: TransferSum): string {
  if (active > 0) return transferStrings.active(active)
  if (failed > 0) return transferStrings.failed(failed)
  return done > 0 ? transferStrings.done : transferStrings.cancelled
}
