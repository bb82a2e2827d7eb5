import { parseInviteLink } from '@sallyport/client/sessions/invite-link'
import { sessionLimits } from '@sallyport/contract/limits'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { PinField } from '#/components/ui/inputs/pin-field.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { sessionStrings } from '#/strings/sessions.ts'
import { useSessionState } from '../sessions-context.ts'
import { clearSessionLink, pendingSessionLink } from './session-link.ts'
import { useJoinSession } from './use-join-session.ts'

interface JoinFormProps {
  /** Shown below the button. */
  readonly note?: ReactNode
  /** Whether joining is the main action of the page. */
  readonly isMain?: boolean
}

/** A form for the six-digit PIN. An invite link prefills the PIN and provides the link secret. */
export function JoinForm({ note, isMain = false }: JoinFormProps) {
  const [link, setLink] = useState(pendingSessionLink)
  const invitation = useMemo(() => link && parseInviteLink(link), [link])
  const [pin, setPin] = useState(invitation?.pin ?? '')
  const sessionState = useSessionState()
  const lastName = sessionState.phase === 'outside' ? sessionState.lastEnd?.name : undefined
  const [name, setName] = useState(lastName ?? '')
  const { state, pinError, start, cancel, clearErrors } = useJoinSession()
  const isIncomplete = invitation !== null && 'isIncomplete' in invitation

  function change(digits: string) {
    setPin(digits)
    clearErrors()
    if (invitation === null || digits === invitation.pin) return
    clearSessionLink()
    setLink(null)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const linkSecret = invitation !== null && 'linkSecret' in invitation ? invitation.linkSecret : null
    if (state.step !== 'busy') void start({ pin, linkSecret, name: name.trim() })
  }

  if (state.step === 'waiting') return <WaitingForApproval code={state.code} onCancel={cancel} />
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <p className="text-sm text-ink-2">
        {link?.fileId ? sessionStrings.fileBelongsToSession : sessionStrings.joinLead}
      </p>
      <PinField label={sessionStrings.pin} value={pin} onChange={change} error={pinError} />
      <TextField
        label={sessionStrings.ownName}
        name="participant"
        autoComplete="off"
        maxLength={sessionLimits.nameCharacters}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <FormAlert
        message={state.step === 'failed' ? state.message : isIncomplete ? sessionStrings.linkIncomplete : null}
      />
      <Button
        type="submit"
        variant={isMain ? 'primary' : 'secondary'}
        size="large"
        fullWidth
        busy={state.step === 'busy'}
        busyLabel={sessionStrings.joining}
      >
        {sessionStrings.join}
      </Button>
      {note ? <p className="text-xs text-ink-3">{note}</p> : null}
    </form>
  )
}

interface WaitingProps {
  readonly code: string
  readonly onCancel: () => void
}

/** Shown until the creator answers the join request. */
function WaitingForApproval({ code, onCancel }: WaitingProps) {
  return (
    <div className="grid justify-items-start gap-3">
      <h3 className="heading text-lg">{sessionStrings.waitingTitle}</h3>
      <p role="status" className="text-sm text-ink-2">
        {sessionStrings.waiting}
      </p>
      <p className="flex items-baseline gap-3 text-sm text-ink-2">
        {sessionStrings.waitingCode}
        <strong className="num text-3xl text-ink">{code}</strong>
      </p>
      <Button onClick={onCancel}>{sessionStrings.stopWaiting}</Button>
    </div>
  )
}
