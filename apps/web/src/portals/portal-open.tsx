import type { PortalState } from '@sallyport/client/portal/portal'
import { toBase64url } from '@sallyport/crypto'
import { Send } from 'lucide-react'
import { useRef } from 'react'
import { PinPlates } from '#/motifs/pin-plates.tsx'
import { QrCode } from '#/motifs/qr-code.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { CopyButton } from '#/ui/copy-button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { portalWords } from '#/words/portal.ts'
import { Gateway } from './gateway.tsx'

interface PortalOpenProps {
  readonly state: PortalState
  readonly onFiles: (files: readonly File[]) => void
  readonly onClose: () => void
}

/** A portal that stands: with its code while nobody has come, and ready for files once somebody has. */
export function PortalOpen({ state, onFiles, onClose }: PortalOpenProps) {
  const { role, invitation, isConnected } = state
  const isCreator = role === 'creator'
  return (
    <Card depth="float" aria-labelledby="portal-open" className="mx-auto w-full max-w-[44rem]">
      <CardHeading title={isCreator ? portalWords.opened : portalWords.connected} id="portal-open">
        <Status state={state} />
      </CardHeading>
      <div className={isCreator ? 'mt-6 grid items-center gap-7 md:grid-cols-[1fr_auto]' : 'mt-6 grid gap-6'}>
        <div className="flex flex-col items-center gap-5">
          <Gateway state={isConnected ? 'open' : isCreator ? 'shut' : 'ajar'} />
          {invitation ? <Code pin={invitation.pin} /> : null}
        </div>
        {isCreator && invitation && !isConnected ? (
          <figure className="flex flex-col items-center gap-2">
            <QrCode text={linkOf(invitation)} label={portalWords.scan} />
            <figcaption className="text-sm text-ink-2">{portalWords.scan}</figcaption>
          </figure>
        ) : null}
        {isConnected ? <Proof state={state} /> : null}
      </div>
      <Actions isConnected={isConnected} onFiles={onFiles} onClose={onClose} />
    </Card>
  )
}

/** The secret behind `#` never reaches a server. */
const linkOf = ({ pin, secret }: NonNullable<PortalState['invitation']>): string =>
  `${location.origin}/?join=${pin}#k=${toBase64url(secret)}`

function Status({ state: { role, isConnected, exchange, path } }: { readonly state: PortalState }) {
  const isBack = exchange.sending !== null || exchange.receiving !== null
  if (!isConnected) {
    const words = role === 'joiner' || isBack ? portalWords.reconnecting : portalWords.waiting
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

function Code({ pin }: { readonly pin: string }) {
  return (
    <div className="flex flex-col items-center gap-3">
      <PinPlates pin={pin} />
      <CopyButton label={portalWords.copyPin} onCopy={() => copyText(Promise.resolve(pin))} />
    </div>
  )
}

function Proof({ state: { proved, pictures } }: { readonly state: PortalState }) {
  const unverifiedHint = pictures.length > 0 ? portalWords.compareHint : portalWords.unverifiedHint
  const badge = proved === 'link' ? portalWords.verifiedLink : portalWords.verifiedPin
  return (
    <div className="flex max-w-[18rem] flex-col items-start gap-2">
      <Badge tone={proved ? 'seal' : 'brass'}>{proved ? badge : portalWords.unverified}</Badge>
      {proved ? null : <p className="text-sm text-ink-2">{unverifiedHint}</p>}
      {pictures.length > 0 ? (
        <details className="text-sm" open={!proved}>
          <summary className="cursor-pointer rounded-segment py-1 font-medium">{portalWords.verify}</summary>
          <p className="mt-1 text-3xl tracking-[0.3em]">{pictures.join('')}</p>
          <p className="mt-1 text-ink-2">{portalWords.verifyHint}</p>
        </details>
      ) : null}
    </div>
  )
}

function Actions({ isConnected, onFiles, onClose }: Omit<PortalOpenProps, 'state'> & { isConnected: boolean }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="mt-7 flex flex-wrap justify-end gap-3">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={portalWords.sendFile}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button variant="danger-outline" onClick={onClose}>
        {portalWords.close}
      </Button>
      <Button
        variant="primary"
        disabled={!isConnected}
        icon={<Send aria-hidden size={16} />}
        onClick={() => picker.current?.click()}
      >
        {portalWords.sendFile}
      </Button>
    </div>
  )
}
