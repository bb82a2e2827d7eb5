import { useId } from 'react'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { CreateCard } from './joining/create-card.tsx'
import { JoinForm } from './joining/join-form.tsx'
import { SessionEndBanner } from './session-end-banner.tsx'

/** Creates or joins a session; on phones joining comes first. */
export function SessionMenu() {
  const joinId = useId()
  // Accepts drops without an action, so that the browser does not navigate to a dropped file.
  useFileDrop({ onFiles: () => undefined, enabled: false })
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-5 px-4 py-5 md:px-6 md:py-7">
      <header>
        <h1 className="heading-large text-3xl max-md:text-2xl">{sessionStrings.area}</h1>
        <p className="mt-1 text-base text-pretty text-ink-2">{sessionStrings.lead}</p>
      </header>
      <SessionEndBanner />
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <CreateCard />
        <Card aria-labelledby={joinId} className="grid content-start gap-4 max-md:order-first">
          <CardHeading id={joinId} title={sessionStrings.joinTitle} className="-mb-2" />
          <JoinForm />
        </Card>
      </div>
    </div>
  )
}
