import { createSubject, type Observable } from '@sallyport/client/observable'
import { PortalError } from '@sallyport/client/portal/errors'
import type { TransferState } from '@sallyport/client/portal/exchange-state'
import type { PortalState } from '@sallyport/client/portal/portal-state'
import { legacyPortalLimits } from '@sallyport/contract/limits'

export interface ShownTransfer {
  readonly direction: 'sending' | 'receiving'
  readonly transfer: TransferState
}

const { completeShownMs, errorShownMs } = legacyPortalLimits
const directions = ['receiving', 'sending'] as const

export const hasEnded = ({ phase }: TransferState): boolean => phase === 'complete' || phase === 'failed'

/** Lists active transfers, completed ones for a moment, and failed ones a little longer. */
export function trackTransfers(state: Observable<PortalState>): Observable<readonly ShownTransfer[]> {
  const shown = createSubject<readonly ShownTransfer[]>([])
  const seen = new WeakSet<TransferState>()

  function show(direction: ShownTransfer['direction'], transfer: TransferState | null): void {
    const others = shown.current().filter((one) => one.direction !== direction)
    if (transfer || others.length < shown.current().length) {
      shown.set(transfer ? [...others, { direction, transfer }] : others)
    }
  }

  function end(direction: ShownTransfer['direction'], transfer: TransferState): void {
    seen.add(transfer)
    show(direction, transfer)
    const shownMs = transfer.phase === 'complete' ? completeShownMs : errorShownMs
    setTimeout(() => {
      if (shown.current().some((one) => one.transfer === transfer)) show(direction, null)
    }, shownMs)
  }

  state.subscribe(() => {
    for (const direction of directions) {
      const before = shown.current().find((one) => one.direction === direction)?.transfer ?? null
      const transfer = state.current().exchange[direction]
      if (transfer === before || (transfer && seen.has(transfer))) continue
      if (transfer && hasEnded(transfer)) end(direction, transfer)
      else if (transfer) show(direction, transfer)
      // The portal was closed during the transfer.
      else if (before && !hasEnded(before)) {
        end(direction, { ...before, phase: 'failed', reason: new PortalError('CLOSED') })
      }
    }
  })

  return shown
}

/** Whether a transfer is active or about to start. */
export const isMoving = (shown: readonly ShownTransfer[]): boolean => shown.some(({ transfer }) => !hasEnded(transfer))
