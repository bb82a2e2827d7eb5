import { type FormEvent, useId, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { EmptyGate } from '#/motifs/gate-pictures.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { AskAdmission } from './ask-admission.tsx'
import { useRoom } from './sessions-context.ts'

/** A private session whose key is not here: the invite link opens it. */
export function LockedRoom() {
  const { unlock } = useRoom()
  const titleId = useId()
  const [link, setLink] = useState('')
  const [message, setMessage] = useState<string | null>(null)

  async function open(event: FormEvent) {
    event.preventDefault()
    try {
      await unlock(link)
    } catch (error) {
      setMessage(speak(error, sessionWords.wrongLink))
    }
  }

  return (
    <Card aria-labelledby={titleId} className="grid justify-items-center gap-4 py-8! text-center">
      <EmptyGate className="size-24" />
      <div>
        <h2 id={titleId} className="heading text-xl">
          {sessionWords.lockedTitle}
        </h2>
        <p className="mt-1 max-w-[30rem] text-sm text-ink-2">{sessionWords.locked}</p>
      </div>
      <form noValidate className="grid w-full max-w-form gap-3 text-start" onSubmit={(event) => void open(event)}>
        <TextField
          label={sessionWords.pasteLink}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={link}
          onChange={(event) => {
            setLink(event.target.value)
            setMessage(null)
          }}
        />
        <FormAlert message={message} />
        <Button type="submit" variant="primary" disabled={link.trim() === ''}>
          {sessionWords.open}
        </Button>
      </form>
      <AskAdmission />
    </Card>
  )
}
