import { useId } from 'react'
import { Card, CardHeading } from '#/ui/card.tsx'
import { useFileDrop } from '#/ui/use-file-drop.ts'
import { sessionWords } from '#/words/sessions.ts'
import { CreateCard } from './create-card.tsx'
import { JoinForm } from './join-form.tsx'
import { PartingBanner } from './parting-banner.tsx'

/** The two ways into a session; on a phone, joining comes first. */
export function SessionMenu() {
  const joinId = useId()
  // A file that is dropped here must not make the browser leave the page.
  useFileDrop({ onFiles: () => undefined, enabled: false })
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-5 px-4 py-5 md:px-6 md:py-7">
      <header>
        <h1 className="heading-large text-3xl max-md:text-2xl">{sessionWords.area}</h1>
        <p className="mt-1 text-base text-pretty text-ink-2">{sessionWords.lead}</p>
      </header>
      <PartingBanner />
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <CreateCard />
        <Card aria-labelledby={joinId} className="grid content-start gap-4 max-md:order-first">
          <CardHeading id={joinId} title={sessionWords.joinTitle} className="-mb-2" />
          <JoinForm />
        </Card>
      </div>
    </div>
  )
}
