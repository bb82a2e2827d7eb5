import { useId, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Card, CardHeading } from '#/ui/card.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useSessions } from './sessions-context.ts'
import { sayEntering } from './troubles.ts'

/** Opens a session of one's own; the PIN is drawn here. */
export function CreateCard() {
  const { create } = useSessions()
  const [isPrivate, setPrivate] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const titleId = useId()

  async function begin() {
    setBusy(true)
    setMessage(null)
    try {
      await create({ isPrivate })
    } catch (error) {
      setMessage(sayEntering(error, sessionWords.createFailed))
      setBusy(false)
    }
  }

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
      <FormAlert message={message} />
      <Button
        variant="primary"
        size="large"
        fullWidth
        busy={isBusy}
        busyLabel={sessionWords.creating}
        onClick={() => void begin()}
      >
        {sessionWords.create}
      </Button>
    </Card>
  )
}
