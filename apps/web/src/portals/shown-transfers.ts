import { createSubject, type Observable } from '@sallyport/client/observable'
import type { TransferState } from '@sallyport/client/portal/exchange-state'
import type { PortalState } from '@sallyport/client/portal/portal'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { portalWords } from '#/words/portal.ts'

export interface ShownTransfer {
  readonly direction: 'sending' | 'receiving'
  readonly transfer: TransferState
}

const { completeShownMs, errorShownMs } = classicPortalLimits
const directions = ['receiving', 'sending'] as const

export const hasEnded = ({ phase }: TransferState): boolean => phase === 'complete' || phase === 'failed'

/** What is under way, what has ended a moment ago, and a little longer what has failed. */
export function followTransfers(state: Observable<PortalState>): Observable<readonly ShownTransfer[]> {
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
      const now = state.current().exchange[direction]
      if (now === before || (now && seen.has(now))) continue
      if (now && hasEnded(now)) end(direction, now)
      else if (now) show(direction, now)
      // The portal was closed in the midst of it.
      else if (before && !hasEnded(before)) {
        end(direction, { ...before, phase: 'failed', reason: portalWords.closedMeanwhile })
      }
    }
  })

  return shown
}

/** Whether bytes are on their way, or are about to be. */
export const isMoving = (shown: readonly ShownTransfer[]): boolean => shown.some(({ transfer }) => !hasEnded(transfer))
