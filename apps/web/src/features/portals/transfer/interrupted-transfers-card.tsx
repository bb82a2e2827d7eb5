import type { PortalState } from '@sallyport/client/portal/portal-state'
import { formatPercent } from '@sallyport/contract/formats'
import { TransferRow } from '#/components/brand/transfer-row.tsx'
import { pickFiles } from '#/components/file-input/pick-files.ts'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { nameInSentence } from '#/components/names/visible-text.ts'
import { NoteText } from '#/components/transfers/transfer-job-row.tsx'
import type { TransferNote } from '#/components/transfers/transfer-labels.ts'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { usePortalContext } from '../portal-context.ts'
import type { InterruptedState, InterruptedTransfer } from './interrupted-transfers.ts'

/** Interrupted transfers of earlier pages, to be resumed or discarded. */
export function InterruptedTransfersCard({ state }: { readonly state: PortalState }) {
  const { interrupted } = usePortalContext()
  const { slot, transfers } = useObservable(interrupted)
  const reachability = state.isConnected ? 'connected' : slot && state.mode === 'menu' ? 'by-slot' : 'none'
  const isOnlySlot = reachability === 'by-slot' && transfers.length === 0
  if (transfers.length === 0 && !isOnlySlot) return null
  return (
    <Card aria-label={portalScreenStrings.interrupted} padded={false}>
      <ul className="divide-y divide-line">
        {isOnlySlot && slot ? (
          <li className="pad-card">
            <InterruptedPortalRow slot={slot} />
          </li>
        ) : null}
        {transfers.map((transfer) => (
          <li key={transfer.tid} className="pad-card">
            <InterruptedRow transfer={transfer} reachability={reachability} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function InterruptedPortalRow({ slot }: { readonly slot: NonNullable<InterruptedState['slot']> }) {
  const { interrupted } = usePortalContext()
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className="font-semibold">
          {slot.peerName
            ? portalScreenStrings.interruptedPortal(nameInSentence(slot.peerName))
            : portalScreenStrings.interruptedPortalUnnamed}
        </p>
        <p className="mt-1 text-sm text-ink-2">{portalScreenStrings.interruptedPortalHint}</p>
      </div>
      <div className="flex gap-3">
        <Button onClick={interrupted.reconnect}>{portalScreenStrings.resume}</Button>
        <Button variant="quiet" onClick={() => void interrupted.discardSlot()}>
          {portalScreenStrings.discard}
        </Button>
      </div>
    </div>
  )
}

interface InterruptedRowProps {
  readonly transfer: InterruptedTransfer
  /** How the other device can be reached. */
  readonly reachability: 'connected' | 'by-slot' | 'none'
}

function InterruptedRow({ transfer, reachability }: InterruptedRowProps) {
  const { name, bytes, total } = transfer
  const share = total === 0 ? 0 : bytes / total
  return (
    <TransferRow
      fileName={name}
      seal="sending"
      badge={{ text: portalScreenStrings.interrupted, tone: 'brass' }}
      label={portalScreenStrings.transferOf[transfer.direction](visibleFileName(name))}
      valueText={portalScreenStrings.percentInterrupted(Math.floor(share * 100))}
      encrypted={share}
      delivered={share}
      note={<NoteText {...noteOf({ transfer, reachability }, formatPercent(share))} />}
      actions={<Actions transfer={transfer} reachability={reachability} />}
    />
  )
}

function noteOf({ transfer, reachability }: InterruptedRowProps, percent: string): TransferNote {
  const { error } = transfer
  if (error) return { text: portalScreenStrings.resumeErrors[error], tone: 'rust', isUrgent: true }
  return { text: describe(transfer, reachability, percent), tone: 'brass' }
}

function describe(
  { name, direction, hasSource }: InterruptedTransfer,
  reachability: InterruptedRowProps['reachability'],
  percent: string,
): string {
  if (reachability === 'none') return portalScreenStrings.connectFirst(percent)
  if (!hasSource) return portalScreenStrings.chooseAgain(visibleFileName(name), percent)
  return direction === 'receiving' && reachability === 'connected'
    ? portalScreenStrings.otherResumes(percent)
    : portalScreenStrings.pausedAt(percent)
}

function Actions({ transfer, reachability }: InterruptedRowProps) {
  const { interrupted } = usePortalContext()
  const { tid, direction, name, hasSource, error } = transfer
  const subject = <span className="sr-only"> {visibleFileName(name)}</span>

  async function choose() {
    await interrupted.resumeWith(tid, await pickFiles({ multiple: true }))
  }

  function resume() {
    if (direction === 'receiving') interrupted.reconnect()
    else void interrupted.resume(tid)
  }

  const needsFile = direction === 'sending' && (!hasSource || error !== null)
  const canResume = reachability === 'by-slot' || (reachability === 'connected' && direction === 'sending')
  return (
    <>
      {canResume ? (
        <Button onClick={() => (needsFile ? void choose() : resume())}>
          {needsFile ? portalScreenStrings.chooseFile : portalScreenStrings.resume}
          {subject}
        </Button>
      ) : null}
      <Button variant="quiet" onClick={() => void interrupted.discard(tid)}>
        {portalScreenStrings.discard}
        {subject}
      </Button>
    </>
  )
}
