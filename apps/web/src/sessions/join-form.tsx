import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PinField } from '#/ui/pin-field.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useInvitation } from './use-invitation.ts'
import { useJoining } from './use-joining.ts'

interface JoinFormProps {
  /** Said under the button. */
  readonly note?: ReactNode
  /** The one thing that its page is for. */
  readonly isMain?: boolean
}

/** Six digits and the way in; an invite link has filled them in already, and brings its secret along. */
export function JoinForm({ note, isMain = false }: JoinFormProps) {
  const { invitation, isForFile, forget } = useInvitation()
  const [pin, setPin] = useState(invitation?.pin ?? '')
  const { joining, pinTrouble, begin, cancel, edited } = useJoining()
  const isIncomplete = invitation !== null && 'isIncomplete' in invitation

  function change(digits: string) {
    setPin(digits)
    edited()
    if (invitation !== null && digits !== invitation.pin) forget()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const linkSecret = invitation !== null && 'linkSecret' in invitation ? invitation.linkSecret : null
    if (joining.step !== 'busy') void begin({ pin, linkSecret })
  }

  if (joining.step === 'waiting') return <Waiting code={joining.code} onCancel={cancel} />
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-2">{isForFile ? sessionWords.fileInSession : sessionWords.joinLead}</p>
      <PinField label={sessionWords.pin} value={pin} onChange={change} error={pinTrouble} />
      <FormAlert
        message={joining.step === 'failed' ? joining.message : isIncomplete ? sessionWords.linkIncomplete : null}
      />
      <Button
        type="submit"
        variant={isMain ? 'primary' : 'secondary'}
        size="large"
        fullWidth
        busy={joining.step === 'busy'}
        busyLabel={sessionWords.joining}
      >
        {sessionWords.join}
      </Button>
      {note ? <p className="text-xs text-ink-3">{note}</p> : null}
    </form>
  )
}

interface WaitingProps {
  readonly code: string
  readonly onCancel: () => void
}

/** Until somebody inside has decided. */
function Waiting({ code, onCancel }: WaitingProps) {
  return (
    <div className="grid justify-items-start gap-3">
      <h3 className="heading text-lg">{sessionWords.waitingTitle}</h3>
      <p role="status" className="text-sm text-ink-2">
        {sessionWords.waiting}
      </p>
      <p className="flex items-baseline gap-3 text-sm text-ink-2">
        {sessionWords.waitingCode}
        <strong className="num text-3xl text-ink">{code}</strong>
      </p>
      <Button onClick={onCancel}>{sessionWords.stopWaiting}</Button>
    </div>
  )
}
