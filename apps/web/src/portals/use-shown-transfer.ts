import type { ExchangeState, TransferState } from '@sallyport/client/portal/exchange-state'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { useEffect, useState } from 'react'

export interface ShownTransfer {
  readonly direction: 'sending' | 'receiving'
  readonly transfer: TransferState
}

const { completeShownMs, errorShownMs } = classicPortalLimits

/** The transfer that is under way; one that has ended is shown for a moment more, and why it failed a little longer. */
export function useShownTransfer({ sending, receiving }: ExchangeState): {
  readonly shown: ShownTransfer | null
  readonly failure: string | null
} {
  const outgoing = useFresh(sending)
  const incoming = useFresh(receiving)
  const current = [of('receiving', incoming), of('sending', outgoing)].filter((one) => one !== null)
  const shown = current.find(({ transfer }) => transfer.phase !== 'failed') ?? null
  const failed = current.find(({ transfer }) => transfer.phase === 'failed')
  return { shown, failure: failed?.transfer.reason ?? null }
}

const of = (direction: ShownTransfer['direction'], transfer: TransferState | null): ShownTransfer | null =>
  transfer && { direction, transfer }

/** Null once what ended was shown for long enough. */
function useFresh(transfer: TransferState | null): TransferState | null {
  const [seen, setSeen] = useState<TransferState | null>(null)
  const phase = transfer?.phase
  useEffect(() => {
    if (phase !== 'complete' && phase !== 'failed') return
    const timer = setTimeout(() => setSeen(transfer), phase === 'complete' ? completeShownMs : errorShownMs)
    return () => clearTimeout(timer)
  }, [phase, transfer])
  return transfer === seen ? null : transfer
}
