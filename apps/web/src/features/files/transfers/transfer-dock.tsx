import { formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState } from 'react'
import { Seal, type SealState } from '#/components/brand/seal.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { TransferRows } from '#/components/transfers/transfer-list.tsx'
import { sumTransfers, type TransferTotal } from '#/components/transfers/transfer-total.ts'
import { useHeightVariable } from '#/components/ui/hooks/use-height-variable.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { useFilesContext } from '../files-context.ts'

interface TransferDockProps {
  /** The screen whose own transfers are not repeated in the dock. */
  readonly currentScreen: 'files' | 'portal' | null
}

/** Shows the transfers on screens other than their own: one summary line, and a row for each when expanded. */
export function TransferDock({ currentScreen }: TransferDockProps) {
  const { own, others, all } = useFilesContext().transfers
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  const dock = useRef<HTMLElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const list = currentScreen === null ? all : { files: others, portal: own }[currentScreen]
  const isOpen = useObservable(list).length > 0

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
        // React also delivers the keys of a dialog that the dock has opened.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
        if (event.key === 'Escape' && isInside) setExpanded(false)
      }}
    >
      <div id={listId} hidden={!isExpanded} className="transfer-dock-list">
        {isOpen && isExpanded ? <TransferRows list={list} isNarrow /> : null}
      </div>
      <div ref={head} className="transfer-dock-head">
        <DockSummary key={String(isOpen)} sum={sumTransfers(list)} isShown={isOpen} />
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
  readonly sum: TransferTotal
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
              {bytesPerSecond === 0 ? null : <span className="num text-xs">{formatSpeed(bytesPerSecond)}</span>}
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

function sealStateOf({ active, failed, done, delivered }: TransferTotal): SealState {
  if (active > 0) return delivered > 0 ? 'sending' : 'encrypting'
  if (failed > 0) return 'failed'
  return done > 0 ? 'sealed' : 'cancelled'
}

function summaryText({ active, failed, done }: TransferTotal): string {
  if (active > 0) return transferStrings.active(active)
  if (failed > 0) return transferStrings.failed(failed)
  return done > 0 ? transferStrings.done : transferStrings.cancelled
}
