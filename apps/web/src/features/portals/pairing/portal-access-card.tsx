import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { portalAccessStrings } from '#/strings/portals/portal-access.ts'
import type { PortalIntent } from '../portal-entry.ts'
import { PortalJoinForm } from './portal-join-form.tsx'

/** Opens or joins a portal from the front page, without an account. */
export function PortalAccessCard({ onEnter }: { readonly onEnter: (intent: PortalIntent) => void }) {
  return (
    <Card aria-labelledby="portal-access" className="md:p-5.5">
      <CardHeading title={portalAccessStrings.access} id="portal-access">
        <Button size="compact" onClick={() => onEnter({ kind: 'create' })}>
          {portalAccessStrings.createTitle}
        </Button>
      </CardHeading>
      <p className="mt-1 text-sm text-ink-2">{portalAccessStrings.lead}</p>
      <div className="mt-4">
        <PortalJoinForm onJoin={(pin) => onEnter({ kind: 'join', pin })} />
        <Button fullWidth className="mt-3 md:hidden" onClick={() => onEnter({ kind: 'scan' })}>
          {portalAccessStrings.scan}
        </Button>
      </div>
    </Card>
  )
}
