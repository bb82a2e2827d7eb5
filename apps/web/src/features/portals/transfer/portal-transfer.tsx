import type { PortalState } from '@sallyport/client/portal/portal-state'
import { formatBytes, formatPercent, formatSpeed } from '@sallyport/contract/formats'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { Seal, type SealState } from '#/components/brand/seal.tsx'
import { TransferBar } from '#/components/brand/transfer-bar.tsx'
import { FileName } from '#/components/files/file-name.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { shareDelivered } from '#/components/transfers/transfer-progress.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { transferStrings } from '#/strings/transfers.ts'
import type { PortalJob } from './portal-jobs.ts'

interface PortalTransferProps {
  readonly job: PortalJob
  readonly path: PortalState['path']
  readonly onCancel: () => void
}

/** The progress of a transfer. A received file is complete only once it is saved. */
export function PortalTransfer({ job, path, onCancel }: PortalTransferProps) {
  const { kind, fileName, sizeBytes, state } = job
  const { title, seal } = phases[state.status]
  const isDone = state.status === 'done'
  const progress = 'bytesPerSecond' in state ? state : { deliveredBytes: isDone ? sizeBytes : 0, bytesPerSecond: 0 }
  const isCapped = kind === 'receiving' && !isDone
  const share = Math.min(isCapped ? legacyPortalLimits.receiveProgressCap : 1, shareDelivered(job))
  const isReconnecting = path === null && state.status === 'transferring'
  return (
    <Card depth="float" aria-labelledby="portal-transfer" className="portal-transfer">
      <Seal state={seal} encrypted={share} delivered={share} size={72} className="portal-transfer-seal" />
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="portal-transfer" className="heading text-xl">
            {portalScreenStrings[title]}
          </h2>
          <FileName className="min-w-0 flex-1 text-ink-2 max-sm:order-last max-sm:basis-full" title={fileName}>
            {fileName}
          </FileName>
          {path ? <Badge tone="seal">{portalScreenStrings.encryptedPath[path]}</Badge> : null}
        </div>
        <TransferBar
          label={portalScreenStrings.transferOf[kind](visibleFileName(fileName))}
          valueText={transferStrings.percent(Math.floor(share * 100))}
          delivered={share}
        />
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-ink-2">
          <span className="num">{formatPercent(share)}</span>
          <span className="num">
            {portalScreenStrings.figures(formatBytes(progress.deliveredBytes), formatBytes(sizeBytes))}
          </span>
          {isReconnecting ? null : <span className="num">{formatSpeed(progress.bytesPerSecond)}</span>}
          <span role="status">{hintOf(job)}</span>
          {isDone ? null : (
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

interface Phase {
  readonly title: 'encrypting' | 'transferring' | 'processing' | 'complete'
  readonly seal: SealState
}

const encrypting: Phase = { title: 'encrypting', seal: 'encrypting' }
const transferring: Phase = { title: 'transferring', seal: 'sending' }

const phases: Record<PortalJob['state']['status'], Phase> = {
  waiting: encrypting,
  preparing: encrypting,
  transferring,
  paused: transferring,
  saving: { title: 'processing', seal: 'sending' },
  done: { title: 'complete', seal: 'sealed' },
  failed: { title: 'transferring', seal: 'failed' },
  cancelled: { title: 'transferring', seal: 'cancelled' },
}

function hintOf({ kind, state: { status } }: PortalJob): string {
  if (status === 'waiting') return portalScreenStrings.awaitingAcceptance
  if (status !== 'done') return portalScreenStrings.keepOpen
  return kind === 'receiving' ? portalScreenStrings.saved : portalScreenStrings.delivered
}
