import { type PortalOptions as Options, usualOptions } from '@sallyport/client/portal/meeting/options'
import type { JoinInput } from '@sallyport/client/portal/meeting/room-code'
import { useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { portalWords } from '#/words/portal.ts'
import { Gateway } from './gateway.tsx'
import { PortalJoinForm } from './portal-join-form.tsx'
import { PortalOptions } from './portal-options.tsx'
import { ScanButton } from './scan/scan-button.tsx'

interface PortalMenuProps {
  readonly onCreate: (options: Options) => void
  readonly onJoin: (by: JoinInput) => void
}

/** The two ways into a portal. */
export function PortalMenu({ onCreate, onJoin }: PortalMenuProps) {
  const [options, setOptions] = useState(usualOptions)
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card className="flex flex-col gap-4" aria-labelledby="portal-create">
        <CardHeading title={portalWords.createTitle} id="portal-create" />
        <p className="-mt-2 text-sm text-ink-2">{portalWords.createHint}</p>
        <Gateway here="shut" there="shut" />
        <PortalOptions options={options} onChange={setOptions} />
        <Button variant="primary" size="large" fullWidth className="mt-auto" onClick={() => onCreate(options)}>
          {portalWords.createTitle}
        </Button>
      </Card>
      <Card className="flex flex-col gap-4" aria-labelledby="portal-join">
        <CardHeading title={portalWords.joinTitle} id="portal-join" />
        <p className="-mt-2 text-sm text-ink-2">{portalWords.joinHint}</p>
        <PortalJoinForm onJoin={(pin) => onJoin({ pin })} />
        <ScanButton onJoin={onJoin} />
      </Card>
    </div>
  )
}
