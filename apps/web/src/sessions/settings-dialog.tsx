import { formatMinutes } from '@sallyport/contract/formats'
import { sessionLimits } from '@sallyport/contract/limits'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { type FormEvent, useId, useState, useSyncExternalStore } from 'react'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { RadioGroup } from '#/ui/radio-group.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useToast } from '#/ui/toast.tsx'
import { useWork } from '#/ui/use-work.ts'
import { sessionWords } from '#/words/sessions.ts'
import { useRoom, useSession } from './sessions-context.ts'

interface SettingsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

const longestName = 60

/** What the creator decides for everybody, and what each person is called. */
export function SettingsDialog({ open, onClose }: SettingsDialogProps) {
  const { changeSettings, rename, me } = useRoom()
  const session = useSession()
  const { name } = useSyncExternalStore(me.subscribe, me.current)
  const toast = useToast()
  const formId = useId()
  const [minutes, setMinutes] = useState(session.default_file_expiration_minutes)
  const [locked, setLocked] = useState(session.locked)
  const [approval, setApproval] = useState(session.approval)
  const [ownName, setOwnName] = useState(name === anonymousParticipant ? '' : name)
  const { isBusy, failure, run } = useWork((error) => speak(error, sessionWords.saveFailed))

  async function save() {
    const wanted = ownName.trim() || anonymousParticipant
    if (wanted !== name) await rename(wanted)
    if (session.is_creator) await changeSettings({ default_file_expiration_minutes: minutes, locked, approval })
    toast({ text: sessionWords.saved, tone: 'seal' })
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(save)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={sessionWords.settingsTitle}
      actions={
        <>
          <Button onClick={onClose}>{sessionWords.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy} busyLabel={sessionWords.saving}>
            {sessionWords.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={submit}>
        <RadioGroup
          label={sessionWords.expirationTitle}
          value={String(minutes)}
          disabled={!session.is_creator}
          options={sessionLimits.offeredMinutes.map((offered) => ({
            value: String(offered),
            label: formatMinutes(offered),
          }))}
          onChange={(value) => setMinutes(Number(value))}
          hint={session.is_creator ? undefined : sessionWords.onlyCreator}
        />
        {session.is_creator ? (
          <div className="grid gap-2.5">
            <Checkbox
              label={sessionWords.lock}
              hint={sessionWords.lockHint}
              checked={locked}
              onChange={({ target }) => setLocked(target.checked)}
            />
            <Checkbox
              label={sessionWords.approval}
              hint={sessionWords.approvalHint}
              checked={approval}
              onChange={({ target }) => setApproval(target.checked)}
            />
          </div>
        ) : null}
        <TextField
          label={sessionWords.yourName}
          hint={sessionWords.nameHint}
          placeholder={anonymousParticipant}
          maxLength={longestName}
          autoComplete="off"
          value={ownName}
          onChange={(event) => setOwnName(event.target.value)}
        />
        <FormAlert message={failure} />
      </form>
    </Dialog>
  )
}
