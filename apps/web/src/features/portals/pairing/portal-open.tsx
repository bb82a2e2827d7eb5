import type { PortalState } from '@sallyport/client/portal/portal-state'
import { isActive } from '@sallyport/transfers/engine/job'
import { useEffect, useState } from 'react'
import { QrCode } from '#/components/brand/qr-code.tsx'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { portalGuessingStrings } from '#/strings/portals/portal-guessing.ts'
import { Gateway } from '../gateway.tsx'
import { NotifyWhenConnected } from '../notify-when-connected.tsx'
import type { PortalJob } from '../transfer/portal-jobs.ts'
import { PortalSend } from '../transfer/portal-send.tsx'
import { GuessWarning } from './guess-warning.tsx'
import { PortalCode } from './portal-code.tsx'
import { portalUrlOf } from './portal-link.ts'
import { PortalVerification } from './portal-verification.tsx'

interface PortalOpenProps {
  readonly state: PortalState
  readonly deviceName: string
  readonly job: PortalJob | null
  readonly onFiles: (files: readonly File[]) => void
  readonly onClose: () => void
}

/** An open portal: shows its code while it waits. Files can be chosen at once. */
export function PortalOpen({ state, deviceName, job, onFiles, onClose }: PortalOpenProps) {
  const { role, invitation, joinedPrefix, isCodeLimitReached, isConnected, peerName } = state
  // The code of a portal whose device has gone is used up; only that device can come back.
  const isReconnecting = !isConnected && peerName !== ''
  const isWaiting = role === 'creator' && !isConnected && !isReconnecting
  const isMoving = job !== null && isActive(job)
  const flow = isMoving ? (job.kind === 'sending' ? 'out' : 'in') : null
  return (
    <Card depth="float" aria-labelledby="portal-open" className="max-md:order-last md:p-8">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
          <h2 id="portal-open" className="heading text-3xl">
            {role === 'creator' ? portalScreenStrings.opened : portalScreenStrings.connected}
          </h2>
          <Status state={state} />
        </div>
        <Button variant="danger-outline" className="max-md:hidden" onClick={onClose}>
          {portalScreenStrings.close}
        </Button>
      </header>
      <div className="portal-open mt-7">
        <div className="portal-gate">
          <Gateway
            local="open"
            remote={isConnected ? 'open' : isWaiting ? 'shut' : 'ajar'}
            flow={flow}
            localNote={deviceName}
            remoteNote={isConnected ? peerName : isWaiting ? portalScreenStrings.notConnected : ''}
          />
        </div>
        {isCodeLimitReached ? <GuessWarning /> : null}
        {invitation && !isReconnecting ? <PortalCode invitation={invitation} /> : null}
        {isReconnecting ? <GoneNotice /> : null}
        {joinedPrefix === null ? null : (
          <p className="portal-code text-center text-sm text-ink-2">{portalScreenStrings.roomCode(joinedPrefix)}</p>
        )}
        <div className="portal-side" data-proof={isConnected || undefined}>
          {isWaiting && invitation && 'secret' in invitation ? (
            <figure className="flex flex-col items-center gap-3">
              <QrCode text={portalUrlOf(invitation)} label={portalScreenStrings.scan} />
              <figcaption className="text-sm text-ink-2">{portalScreenStrings.scan}</figcaption>
            </figure>
          ) : null}
          {isConnected ? <PortalVerification state={state} /> : null}
        </div>
        <div className="portal-send">
          <PortalSend isReady={!isMoving} onFiles={onFiles} />
          {isConnected ? (
            <p className="mt-3 text-center text-xs text-ink-3 max-md:hidden">{portalScreenStrings.dropHint}</p>
          ) : null}
          {isWaiting && !isCodeLimitReached ? <NotifyWhenConnected /> : null}
          <Button size="large" variant="danger-outline" fullWidth className="mt-3 md:hidden" onClick={onClose}>
            {portalScreenStrings.close}
          </Button>
        </div>
      </div>
    </Card>
  )
}

const goneAfterMs = 20_000

/** Says after a while that the other device may not come back. */
function GoneNotice() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), goneAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className="portal-code text-center text-sm text-pretty text-ink-2">
      {isLong ? portalScreenStrings.gone : null}
    </p>
  )
}

function Status({ state: { role, isConnected, peerName, isCodeLimitReached, path } }: { readonly state: PortalState }) {
  if (!isConnected) {
    const waiting = isCodeLimitReached ? portalGuessingStrings.status : portalScreenStrings.waiting
    const text = role === 'joiner' || peerName !== '' ? portalScreenStrings.reconnecting : waiting
    return (
      <span role="status">
        <Badge tone="brass">{text}</Badge>
      </span>
    )
  }
  return (
    <span role="status" className="flex flex-wrap gap-2">
      <Badge tone="seal">{role === 'creator' ? portalScreenStrings.deviceConnected : portalScreenStrings.ready}</Badge>
      <Badge>{path === 'relayed' ? portalScreenStrings.relayed : portalScreenStrings.direct}</Badge>
    </span>
  )
}
