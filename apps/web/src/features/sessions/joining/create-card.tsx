import { sessionLimits } from '@sallyport/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { createErrorMessage } from '../session-error-messages.ts'
import { useSessions } from '../sessions-context.ts'

/** Creates a session. Its PIN is drawn in the browser. */
export function CreateCard() {
  const { create } = useSessions()
  const [isPrivate, setPrivate] = useState(false)
  const [name, setName] = useState('')
  const creation = useMutation({ mutationFn: () => create({ isPrivate, name: name.trim() }), networkMode: 'always' })
  const titleId = useId()

  return (
    <Card aria-labelledby={titleId} className="grid content-start gap-4">
      <CardHeading id={titleId} title={sessionStrings.createTitle} />
      <p className="-mt-2 text-sm text-ink-2">{sessionStrings.createLead}</p>
      <Checkbox
        checked={isPrivate}
        onChange={(event) => setPrivate(event.target.checked)}
        label={sessionStrings.privateSwitch}
        hint={sessionStrings.privateHint}
      />
      <TextField
        label={sessionStrings.ownName}
        name="participant"
        autoComplete="off"
        maxLength={sessionLimits.nameCharacters}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <FormAlert message={creation.error ? createErrorMessage(creation.error) : null} />
      <Button
        variant="primary"
        size="large"
        fullWidth
        busy={creation.isPending}
        busyLabel={sessionStrings.creating}
        onClick={() => creation.mutate()}
      >
        {sessionStrings.create}
      </Button>
    </Card>
  )
}
