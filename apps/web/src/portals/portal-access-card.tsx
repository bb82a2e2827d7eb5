import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { portalAccessWords } from '#/words/portal-access.ts'
import { type Wish, wishFor } from './arrival.ts'
import { PortalJoinForm } from './portal-join-form.tsx'

/** The way into a portal from the front page, without an account. */
export function PortalAccessCard({ onEnter }: { readonly onEnter: () => void }) {
  function enter(wish: Wish) {
    wishFor(wish)
    onEnter()
  }
  return (
    <Card aria-labelledby="portal-access" className="md:p-5.5">
      <CardHeading title={portalAccessWords.access} id="portal-access">
        <Button size="compact" onClick={() => enter({ kind: 'create' })}>
          {portalAccessWords.createTitle}
        </Button>
      </CardHeading>
      <div className="mt-4">
        <PortalJoinForm onJoin={(pin) => enter({ kind: 'join', pin })} />
      </div>
    </Card>
  )
}
