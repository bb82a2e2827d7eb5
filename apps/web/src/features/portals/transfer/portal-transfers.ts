import { createSubject, type Observable } from '@sallyport/client/observable'
import { remainingSeconds } from '@sallyport/client/throughput'
import type { OtherTransfer, TransferState } from '#/components/transfers/transfer-state.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { describePortalError } from '#/strings/portals/portal-errors.ts'
import type { PortalEntry } from '../portal-entry.ts'
import type { ShownTransfer } from './shown-transfers.ts'

/** The transfers of this page's portal in the form in which file transfers are shown. */
export function portalTransfers(portal: PortalEntry['current']): Observable<readonly OtherTransfer[]> {
  const listed = createSubject<readonly OtherTransfer[]>([])
  let stop: () => void = () => undefined
  function track(): void {
    stop()
    const { transfers } = portal.current() ?? {}
    if (!transfers) return
    const update = () => listed.set(transfers.current().map(transferOfPortal))
    stop = transfers.subscribe(update)
    update()
  }
  portal.subscribe(track)
  track()
  return listed
}

export function transferOfPortal({ direction, transfer }: ShownTransfer): OtherTransfer {
  return {
    id: `portal ${direction}`,
    fileName: transfer.fileName,
    sizeBytes: transfer.total,
    badge: portalScreenStrings[direction],
    state: stateOf(transfer),
  }
}

function stateOf({ phase, bytes, total, bytesPerSecond, reason }: ShownTransfer['transfer']): TransferState {
  if (phase === 'complete') return { phase: 'done' }
  if (phase === 'failed')
    return {
      phase: 'failed',
      message: reason ? describePortalError(reason) : portalScreenStrings.transferFailed,
      deliveredBytes: bytes,
    }
  return {
    phase: 'moving',
    deliveredBytes: bytes,
    bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
    secondsLeft: bytesPerSecond > 0 ? remainingSeconds(total - bytes, bytesPerSecond) : null,
  }
}
