import type { PortalState } from '@sallyport/client/portal/portal'
import { QrCode } from '#/motifs/qr-code.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { portalWords } from '#/words/portal.ts'
import { guessWords } from '#/words/portal-guess.ts'
import { Gateway } from './gateway.tsx'
import { GuessWarning } from './guess-warning.tsx'
import { PortalCode } from './portal-code.tsx'
import { portalLinkOf } from './portal-link.ts'
import { PortalProof } from './portal-proof.tsx'
import { PortalSend } from './portal-send.tsx'
import { hasEnded, type ShownTransfer } from './shown-transfers.ts'
import { TellWhenHere } from './tell-when-here.tsx'

interface PortalOpenProps {
  readonly state: PortalState
  readonly deviceName: string
  readonly shown: ShownTransfer | null
  readonly onFiles: (files: readonly File[]) => void
  readonly onClose: () => void
}

/** A portal that stands: with its code while nobody has come, and ready for files once somebody has. */
export function PortalOpen({ state, deviceName, shown, onFiles, onClose }: PortalOpenProps) {
  const { role, invitation, joinedPrefix, isGuessed, isConnected, peerName } = state
  const isWaiting = role === 'creator' && !isConnected
  const isMoving = shown !== null && !hasEnded(shown.transfer)
  const flow = isMoving ? (shown.direction === 'sending' ? 'out' : 'in') : null
  return (
    <Card depth="float" aria-labelledby="portal-open" className="max-md:order-last md:p-8">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
          <h2 id="portal-open" className="heading text-3xl">
            {role === 'creator' ? portalWords.opened : portalWords.connected}
          </h2>
          <Status state={state} />
        </div>
        <Button variant="danger-outline" className="max-md:hidden" onClick={onClose}>
          {portalWords.close}
        </Button>
      </header>
      <div className="portal-open mt-7">
        <div className="portal-gate">
          <Gateway
            here="open"
            there={isConnected ? 'open' : isWaiting ? 'shut' : 'ajar'}
            flow={flow}
            hereNote={deviceName}
            thereNote={isConnected ? peerName : isWaiting ? portalWords.notHereYet : ''}
          />
        </div>
        {isGuessed ? <GuessWarning /> : null}
        {invitation ? <PortalCode invitation={invitation} /> : null}
        {joinedPrefix === null ? null : (
          <p className="portal-code text-center text-sm text-ink-2">{portalWords.roomCode(joinedPrefix)}</p>
        )}
        <div className="portal-side" data-proof={isConnected || undefined}>
          {isWaiting && invitation && 'secret' in invitation ? (
            <figure className="flex flex-col items-center gap-3">
              <QrCode text={portalLinkOf(invitation)} label={portalWords.scan} />
              <figcaption className="text-sm text-ink-2">{portalWords.scan}</figcaption>
            </figure>
          ) : null}
          {isConnected ? <PortalProof state={state} /> : null}
        </div>
        <div className="portal-send">
          <PortalSend isReady={isConnected && !isMoving} onFiles={onFiles} />
          {isConnected ? (
            <p className="mt-3 text-center text-xs text-ink-3 max-md:hidden">{portalWords.dropHint}</p>
          ) : null}
          {isWaiting && !isGuessed ? <TellWhenHere /> : null}
          <Button size="large" variant="danger-outline" fullWidth className="mt-3 md:hidden" onClick={onClose}>
            {portalWords.close}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function Status({ state: { role, isConnected, isGuessed, exchange, path } }: { readonly state: PortalState }) {
  const isBack = exchange.sending !== null || exchange.receiving !== null
  if (!isConnected) {
    const waiting = isGuessed ? guessWords.status : portalWords.waiting
    const words = role === 'joiner' || isBack ? portalWords.reconnecting : waiting
    return (
      <span role="status">
        <Badge tone="brass">{words}</Badge>
      </span>
    )
  }
  return (
    <span role="status" className="flex flex-wrap gap-2">
      <Badge tone="seal">{role === 'creator' ? portalWords.deviceConnected : portalWords.ready}</Badge>
      <Badge>{path === 'relayed' ? portalWords.relayed : portalWords.direct}</Badge>
    </span>
  )
}
