import type { JoinInput } from '@sallyport/client/portal/pairing/room-code'
import { defaultPortalOptions, type PortalOptions as Options } from '@sallyport/client/portal/pairing/room-code'
import { useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { portalAccessStrings } from '#/strings/portals/portal-access.ts'
import { Gateway } from './gateway.tsx'
import { PortalJoinForm } from './pairing/portal-join-form.tsx'
import { PortalOptions } from './pairing/portal-options.tsx'
import { ScanButton } from './scan/scan-button.tsx'

interface PortalMenuProps {
  readonly onCreate: (options: Options) => void
  readonly onJoin: (input: JoinInput) => void
}

/** Offers to create a portal or to join one. */
export function PortalMenu({ onCreate, onJoin }: PortalMenuProps) {
  const [options, setOptions] = useState(defaultPortalOptions)
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card className="flex flex-col gap-4" aria-labelledby="portal-create">
        <CardHeading title={portalAccessStrings.createTitle} id="portal-create" />
        <p className="-mt-2 text-sm text-ink-2">{portalScreenStrings.createHint}</p>
        <Gateway local="shut" remote="shut" />
        <PortalOptions options={options} onChange={setOptions} />
        <Button variant="primary" size="large" fullWidth className="mt-auto" onClick={() => onCreate(options)}>
          {portalAccessStrings.createTitle}
        </Button>
      </Card>
      <Card className="flex flex-col gap-4" aria-labelledby="portal-join">
        <CardHeading title={portalScreenStrings.joinTitle} id="portal-join" />
        <p className="-mt-2 text-sm text-ink-2">{portalScreenStrings.joinHint}</p>
        <PortalJoinForm onJoin={(pin) => onJoin({ pin })} />
        <ScanButton onJoin={onJoin} />
      </Card>
    </div>
  )
}
