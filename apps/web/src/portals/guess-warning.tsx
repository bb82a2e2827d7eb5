import { ShieldAlert } from 'lucide-react'
import { Button } from '#/ui/button.tsx'
import { guessWords } from '#/words/portal-guess.ts'
import { usePortal } from './portal-context.ts'

/** Stands in place of the code once codes were used up: no further one is shown unless the person asks for it. */
export function GuessWarning() {
  const portal = usePortal()
  return (
    <section role="alert" className="portal-guess flex flex-col items-start gap-4 rounded-card bg-brass-soft p-5">
      <div className="flex gap-3">
        <ShieldAlert aria-hidden size={22} className="mt-0.5 shrink-0 text-brass-ink" />
        <div>
          <h3 className="font-semibold">{guessWords.title}</h3>
          <p className="mt-1 text-sm text-ink-2">{guessWords.text}</p>
        </div>
      </div>
      <div className="flex w-full flex-wrap gap-3">
        <Button variant="primary" className="max-md:w-full" onClick={() => portal.renewInvitation('link')}>
          {guessWords.useLink}
        </Button>
        <Button className="max-md:w-full" onClick={() => portal.renewInvitation('code')}>
          {guessWords.newCode}
        </Button>
      </div>
    </section>
  )
}
