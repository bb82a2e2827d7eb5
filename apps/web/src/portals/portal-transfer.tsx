import type { TransferState } from '@sallyport/client/portal/exchange-state'
import { formatBytes, formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { classicPortalLimits } from '@sallyport/contract/limits'
import { Card, CardHeading } from '#/ui/card.tsx'
import { ProgressBar } from '#/ui/progress-bar.tsx'
import { portalWords } from '#/words/portal.ts'
import { Gateway } from './gateway.tsx'
import type { ShownTransfer } from './use-shown-transfer.ts'

/** How far a file has come. What arrives is complete only once it is kept. */
export function PortalTransfer({ direction, transfer }: ShownTransfer) {
  const { fileName, bytes, total, bytesPerSecond, phase } = transfer
  const isComplete = phase === 'complete'
  const share = shareOf(transfer, direction)
  return (
    <Card depth="float" aria-labelledby="portal-transfer" className="mx-auto w-full max-w-[30rem]">
      <CardHeading title={titleOf(transfer, direction)} id="portal-transfer" />
      <div className="mt-5">
        <Gateway state="open" flow={isComplete ? null : direction === 'sending' ? 'out' : 'in'} />
      </div>
      <p className="mt-5 font-medium wrap-anywhere">{fileName}</p>
      <ProgressBar className="mt-2" label={portalWords.progress} value={share} tone={isComplete ? 'seal' : 'ink'} />
      <div className="num mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-ink-2">
        <span>{formatPercent(share)}</span>
        <span>{portalWords.figures(formatBytes(bytes), formatBytes(total))}</span>
        <span>{formatSpeed(bytesPerSecond)}</span>
      </div>
      <p role="status" className="mt-4 text-sm text-ink-2">
        {hintOf(transfer, direction)}
      </p>
    </Card>
  )
}

function shareOf({ phase, bytes, total }: TransferState, direction: ShownTransfer['direction']): number {
  if (phase === 'complete') return 1
  const share = total === 0 ? 0 : bytes / total
  return direction === 'receiving' ? Math.min(classicPortalLimits.receiveProgressCap, share) : share
}

function titleOf({ phase, bytes, total }: TransferState, direction: ShownTransfer['direction']): string {
  if (phase === 'complete') return portalWords.complete
  if (phase === 'encrypting' || phase === 'asking') return portalWords.encrypting
  const isHeld = direction === 'receiving' && bytes >= total * classicPortalLimits.receiveProgressCap
  return phase === 'processing' || isHeld ? portalWords.processing : portalWords.transferring
}

function hintOf({ phase }: TransferState, direction: ShownTransfer['direction']): string {
  if (phase === 'asking') return portalWords.asking
  if (phase !== 'complete') return portalWords.keepOpen
  return direction === 'receiving' ? portalWords.saved : portalWords.delivered
}
