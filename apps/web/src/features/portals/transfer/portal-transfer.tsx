import type { TransferState } from '@sallyport/client/portal/exchange-state'
import type { PortalState } from '@sallyport/client/portal/portal-state'
import { formatBytes, formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { Seal, type SealState } from '#/components/brand/seal.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { FileName } from '#/components/files/file-name.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { transferStrings } from '#/strings/transfers.ts'
import type { ShownTransfer } from './shown-transfers.ts'

interface PortalTransferProps extends ShownTransfer {
  readonly path: PortalState['path']
  readonly onCancel: () => void
}

/** The progress of a transfer. A received file is complete only once it is saved. */
export function PortalTransfer({ direction, transfer, path, onCancel }: PortalTransferProps) {
  const { fileName, bytes, total, bytesPerSecond } = transfer
  const phase = phaseOf(transfer, direction)
  const share = shareOf(transfer, direction)
  const percent = formatPercent(share)
  const isReconnecting = path === null && phase === 'transferring'
  return (
    <Card depth="float" aria-labelledby="portal-transfer" className="portal-transfer">
      <Seal state={seals[phase]} encrypted={share} delivered={share} size={72} className="portal-transfer-seal" />
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="portal-transfer" className="heading text-xl">
            {portalScreenStrings[phase]}
          </h2>
          <FileName className="min-w-0 flex-1 text-ink-2 max-sm:order-last max-sm:basis-full" title={fileName}>
            {fileName}
          </FileName>
          {path ? <Badge tone="seal">{portalScreenStrings.encryptedPath[path]}</Badge> : null}
        </div>
        <TransferBar
          label={portalScreenStrings.transferOf[direction](visibleFileName(fileName))}
          valueText={transferStrings.percent(Math.floor(share * 100))}
          delivered={share}
        />
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-ink-2">
          <span className="num">{percent}</span>
          <span className="num">{portalScreenStrings.figures(formatBytes(bytes), formatBytes(total))}</span>
          {isReconnecting ? null : <span className="num">{formatSpeed(bytesPerSecond)}</span>}
          <span role="status">{hintOf(transfer, direction)}</span>
          {phase === 'complete' ? null : (
            <Button variant="quiet" size="compact" className="ms-auto" onClick={onCancel}>
              {portalScreenStrings.cancel}
              <span className="sr-only"> {visibleFileName(fileName)}</span>
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

type Phase = 'encrypting' | 'transferring' | 'processing' | 'complete'

const seals: Record<Phase, SealState> = {
  encrypting: 'encrypting',
  transferring: 'sending',
  processing: 'sending',
  complete: 'sealed',
}

function shareOf({ phase, bytes, total }: TransferState, direction: ShownTransfer['direction']): number {
  if (phase === 'complete') return 1
  const share = total === 0 ? 0 : bytes / total
  return direction === 'receiving' ? Math.min(legacyPortalLimits.receiveProgressCap, share) : share
}

/**
 * A received file at the display cap is being saved here; a sent file with all bytes sent is being saved by the peer.
 */
function phaseOf({ phase, bytes, total }: TransferState, direction: ShownTransfer['direction']): Phase {
  if (phase === 'complete') return 'complete'
  if (phase === 'encrypting' || phase === 'asking') return 'encrypting'
  const cap = direction === 'receiving' ? legacyPortalLimits.receiveProgressCap : 1
  return phase === 'processing' || bytes >= total * cap ? 'processing' : 'transferring'
}

function hintOf({ phase }: TransferState, direction: ShownTransfer['direction']): string {
  if (phase === 'asking') return portalScreenStrings.awaitingAcceptance
  if (phase !== 'complete') return portalScreenStrings.keepOpen
  return direction === 'receiving' ? portalScreenStrings.saved : portalScreenStrings.delivered
}
