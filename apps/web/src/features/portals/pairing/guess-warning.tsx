import { ShieldAlert } from 'lucide-react'
import { Button } from '#/components/ui/button.tsx'
import { portalGuessingStrings } from '#/strings/portals/portal-guessing.ts'
import { usePortal } from '../portal-context.ts'

/** Replaces the code once it was guessed wrong too often; a new code is shown only when the user asks for it. */
export function GuessWarning() {
  const portal = usePortal()
  return (
    <section role="alert" className="portal-guess flex flex-col items-start gap-4 rounded-card bg-brass-soft p-5">
      <div className="flex gap-3">
        <ShieldAlert aria-hidden size={22} className="mt-0.5 shrink-0 text-brass-ink" />
        <div>
          <h3 className="font-semibold">{portalGuessingStrings.title}</h3>
          <p className="mt-1 text-sm text-ink-2">{portalGuessingStrings.text}</p>
        </div>
      </div>
      <div className="flex w-full flex-wrap gap-3">
        <Button variant="primary" className="max-md:w-full" onClick={() => portal.renewInvitation('link')}>
          {portalGuessingStrings.useLink}
        </Button>
        <Button className="max-md:w-full" onClick={() => portal.renewInvitation('code')}>
          {portalGuessingStrings.newCode}
        </Button>
      </div>
    </section>
  )
}
