import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { portalWords } from '#/words/portal.ts'
import { Gateway } from './gateway.tsx'
import { PortalJoinForm } from './portal-join-form.tsx'
import { ScanButton } from './scan-button.tsx'

interface PortalMenuProps {
  readonly onCreate: () => void
  readonly onJoin: (pin: string, secret?: Uint8Array<ArrayBuffer>) => void
}

/** The two ways into a portal. */
export function PortalMenu({ onCreate, onJoin }: PortalMenuProps) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card className="flex flex-col gap-4" aria-labelledby="portal-create">
        <CardHeading title={portalWords.createTitle} id="portal-create" />
        <p className="text-sm text-ink-2">{portalWords.createHint}</p>
        <Gateway here="shut" there="shut" />
        <Button variant="primary" size="large" fullWidth className="mt-auto" onClick={onCreate}>
          {portalWords.createTitle}
        </Button>
      </Card>
      <Card className="flex flex-col gap-4" aria-labelledby="portal-join">
        <CardHeading title={portalWords.joinTitle} id="portal-join" />
        <p className="text-sm text-ink-2">{portalWords.joinHint}</p>
        <PortalJoinForm onJoin={onJoin} />
        <ScanButton onJoin={onJoin} />
      </Card>
    </div>
  )
}
