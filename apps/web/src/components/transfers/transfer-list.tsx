import { systemClock } from '@sallyport/client/clock'
import { formatBytes, formatSpeed } from '@sallyport/contract/formats'
import type { TransferJob } from '@sallyport/transfers/engine/job'
import type { JobList } from '@sallyport/transfers/engine/job-list'
import { cancelAll, retryFailed } from '@sallyport/transfers/engine/job-lists'
import { useRef, useState } from 'react'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { HiddenRows, ListEnd, useRowWindow } from '#/components/files/row-window.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { downloadErrorStrings } from '#/strings/errors/download-errors.ts'
import { intakeStrings } from '#/strings/intake.ts'
import { transferListStrings } from '#/strings/lists/transfer-list.ts'
import { formatMoved, formatTimeLeft } from '#/strings/remaining-time.ts'
import { transferStrings } from '#/strings/transfers.ts'
import { shownTransfers } from './shown-transfers.ts'
import { TransferJobRow } from './transfer-job-row.tsx'
import { isRetryable } from './transfer-labels.ts'
import { isMemoryHeavy } from './transfer-progress.ts'
import { sumTransfers, type TransferTotal } from './transfer-total.ts'

interface TransferRowsProps {
  readonly list: JobList
  /** What the header counts. */
  readonly subject?: keyof typeof transferListStrings.subjects
  /** In a narrow container, as on phones, button labels are shorter. */
  readonly isNarrow?: boolean
  /** Whether each failed transfer is shown elsewhere. */
  readonly hidesFailed?: boolean
}

interface TransferListProps extends TransferRowsProps {
  readonly label: string
}

/** Fewer transfers need no header. */
const minQueueLength = 3
const waitingStep = 12

/** A card with the transfers of a list, hidden while there are none. */
export function TransferList({ label, ...rest }: TransferListProps) {
  const jobs = useObservable(rest.list)
  const failed = jobs.filter(isFailed)
  if (jobs.length === 0 || (rest.hidesFailed && failed.length === jobs.length && failed.length < 2)) return null
  return (
    <>
      {jobs.some(isMemoryHeavy) ? <Banner tone="brass">{downloadErrorStrings.inMemory}</Banner> : null}
      <Card aria-label={label} padded={false}>
        <TransferRows {...rest} />
      </Card>
    </>
  )
}

/** The rows without the card. Of a long queue only some are shown, below its total. */
export function TransferRows({
  list,
  subject = 'transfers',
  isNarrow = false,
  hidesFailed = false,
}: TransferRowsProps) {
  const jobs = useObservable(list)
  const [moreWaiting, setMoreWaiting] = useState(0)
  const total = sumTransfers(list)
  // Of thousands of transfers no copy is made.
  const listed = hidesFailed && total.failed > 0 ? jobs.filter((job) => !isFailed(job)) : jobs
  const { rows, waiting } = shownTransfers(listed, {
    moreWaiting,
    completedFiles: total.done,
    now: systemClock.now(),
  })
  const { shown, hiddenCount, showMore, showAll } = useRowWindow(rows)
  const isLong = total.done + total.active >= minQueueLength && total.failed < jobs.length
  return (
    <>
      {isLong || total.failed > 1 ? <Header list={list} total={total} subject={subject} hasBar={!isNarrow} /> : null}
      {shown.length > 0 ? (
        <ul className="divide-y divide-line">
          {shown.map((job) => (
            <li key={`${job.kind} ${job.id}`} className="pad-card">
              <TransferJobRow job={job} list={list} isNarrow={isNarrow} />
            </li>
          ))}
        </ul>
      ) : null}
      {hiddenCount > 0 ? <HiddenRows count={hiddenCount} onShowMore={showMore} onShowAll={showAll} /> : null}
      {waiting.files > 0 ? (
        <ListEnd
          text={intakeStrings.waiting(waiting.files, formatBytes(waiting.bytes))}
          action={intakeStrings.showWaiting}
          onAction={() => setMoreWaiting(moreWaiting + waitingStep)}
        />
      ) : null}
    </>
  )
}

const isFailed = ({ state }: TransferJob): boolean => state.status === 'failed'

interface HeaderProps extends Required<Pick<TransferRowsProps, 'list' | 'subject'>> {
  /** False where the list is below another bar. */
  readonly hasBar: boolean
  readonly total: TransferTotal
}

/** The total of a list, with the actions for all its transfers. */
function Header({ list, total, subject, hasBar }: HeaderProps) {
  const [isAsking, setAsking] = useState(false)
  const isConfirmed = useRef(false)
  const header = useRef<HTMLDivElement>(null)
  const { active, failed, done, sizeBytes, deliveredBytes, delivered, bytesPerSecond, secondsLeft } = total
  const strings = transferListStrings.subjects[subject]
  // The question is not asked again by itself when other transfers start.
  if (isAsking && active === 0) setAsking(false)

  function ask() {
    isConfirmed.current = false
    setAsking(true)
  }

  function confirmCancel() {
    setAsking(false)
    isConfirmed.current = true
    cancelAll(list)
  }

  /** Once its transfers have ended, the header may disappear together with the button. */
  function focusAfterQuestion(): boolean {
    // Of an element that is returned, the dialog would focus the first control.
    if (isConfirmed.current) document.getElementById('main')?.focus({ preventScroll: true })
    return !isConfirmed.current
  }

  /** The button disappears, and the keyboard continues at the header. */
  function retry() {
    retryFailed(list)
    header.current?.focus()
  }

  return (
    <div
      ref={header}
      tabIndex={-1}
      className="grid gap-2 border-line px-[var(--card-padding)] py-3 outline-none [&:has(+ul)]:border-b"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-2">
          {active + done > 0 ? (
            <>
              <strong className="font-semibold text-ink">{transferListStrings.files(done, done + active)}</strong>
              <span className="num">{formatMoved(deliveredBytes, sizeBytes)}</span>
            </>
          ) : null}
          {bytesPerSecond > 0 ? <span className="num">{formatSpeed(bytesPerSecond)}</span> : null}
          {secondsLeft ? <span>{formatTimeLeft(secondsLeft)}</span> : null}
          {failed > 0 ? <span className="text-rust">{transferListStrings.failed(failed)}</span> : null}
        </p>
        <div className="flex flex-wrap gap-2">
          {list.current().some(isRetryable) ? (
            <Button size="compact" onClick={retry}>
              {transferListStrings.retryFailed}
            </Button>
          ) : null}
          {active > 0 ? (
            <Button variant="quiet" size="compact" className="-me-3 max-md:-ms-3" onClick={ask}>
              {transferListStrings.cancelAll}
            </Button>
          ) : null}
        </div>
      </div>
      {hasBar && active > 0 ? (
        <TransferBar
          label={strings.progress}
          valueText={transferStrings.percent(Math.floor(delivered * 100))}
          delivered={delivered}
        />
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={strings.cancelTitle}
        description={strings.cancelQuestion(active)}
        confirmLabel={transferListStrings.cancelAll}
        cancelLabel={strings.proceed}
        onConfirm={confirmCancel}
        finalFocus={focusAfterQuestion}
      />
    </div>
  )
}
