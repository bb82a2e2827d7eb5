import { createSubject, type Observable } from '@sallyport/client/observable'
import { secondsLeft } from '@sallyport/client/throughput'
import type { OtherTransfer, TransferState } from '#/transfer-views/transfer-state.ts'
import { portalWords } from '#/words/portal.ts'
import { openPortal } from './kept-portal.ts'
import type { ShownTransfer } from './shown-transfers.ts'

/** The transfers of this page's portal, the way those of files are shown. */
export function portalTransfers(): Observable<readonly OtherTransfer[]> {
  const listed = createSubject<readonly OtherTransfer[]>([])
  let stop: () => void = () => undefined
  function follow(): void {
    stop()
    const { transfers } = openPortal.current() ?? {}
    if (!transfers) return
    const look = () => listed.set(transfers.current().map(transferOfPortal))
    stop = transfers.subscribe(look)
    look()
  }
  openPortal.subscribe(follow)
  follow()
  return listed
}

export function transferOfPortal({ direction, transfer }: ShownTransfer): OtherTransfer {
  return {
    id: `portal ${direction}`,
    fileName: transfer.fileName,
    sizeBytes: transfer.total,
    badge: portalWords[direction],
    state: stateOf(transfer),
  }
}

function stateOf({ phase, bytes, total, bytesPerSecond, reason }: ShownTransfer['transfer']): TransferState {
  if (phase === 'complete') return { phase: 'done' }
  if (phase === 'failed')
    return { phase: 'failed', message: reason ?? portalWords.transferFailed, deliveredBytes: bytes }
  return {
    phase: 'moving',
    deliveredBytes: bytes,
    bytesPerSecond: bytesPerSecond > 0 ? bytesPerSecond : null,
    secondsLeft: bytesPerSecond > 0 ? secondsLeft(total - bytes, bytesPerSecond) : null,
  }
}
