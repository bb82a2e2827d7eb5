import { useId, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { useWork } from '#/ui/use-work.ts'
import { sessionWords } from '#/words/sessions.ts'
import { useSessions } from './sessions-context.ts'
import { sayEntering } from './troubles.ts'

/** Opens a session of one's own; the PIN is drawn here. */
export function CreateCard() {
  const { create } = useSessions()
  const [isPrivate, setPrivate] = useState(false)
  const { isBusy, failure, run } = useWork((error) => sayEntering(error, sessionWords.createFailed))
  const titleId = useId()

  return (
    <Card aria-labelledby={titleId} className="grid content-start gap-4">
      <CardHeading id={titleId} title={sessionWords.createTitle} />
      <p className="-mt-2 text-sm text-ink-2">{sessionWords.createLead}</p>
      <Checkbox
        checked={isPrivate}
        onChange={(event) => setPrivate(event.target.checked)}
        label={sessionWords.privateSwitch}
        hint={sessionWords.privateHint}
      />
      <FormAlert message={failure} />
      <Button
        variant="primary"
        size="large"
        fullWidth
        busy={isBusy}
        busyLabel={sessionWords.creating}
        onClick={() => void run(() => create({ isPrivate }))}
      >
        {sessionWords.create}
      </Button>
    </Card>
  )
}
