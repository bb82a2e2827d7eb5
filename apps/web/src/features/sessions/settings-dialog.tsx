import { sessionLimits } from '@sallyport/contract/limits'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { useId } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { Button } from '#/components/ui/button.tsx'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { RadioGroup } from '#/components/ui/inputs/radio-group.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { formatMinutes } from '#/strings/durations.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { sessionErrorMessage } from './session-error-messages.ts'
import { useCurrentSession, useSession } from './sessions-context.ts'

interface SettingsDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** The creator's settings for everyone, and the participant's own name. */
export function SettingsDialog({ open, onClose }: SettingsDialogProps) {
  const { keyMode, changeSettings, rename, me } = useCurrentSession()
  const session = useSession()
  const { chosenName } = useObservable(me)
  const toast = useToast()
  const formId = useId()
  const form = useForm({
    initial: {
      minutes: session.default_file_expiration_minutes,
      locked: session.locked,
      approval: session.approval,
      ownName: chosenName ?? '',
    },
    async onSubmit({ minutes, locked, approval, ownName }) {
      if (ownName.trim() !== (chosenName ?? '')) await rename(ownName.trim())
      if (session.is_creator) await changeSettings({ default_file_expiration_minutes: minutes, locked, approval })
      toast({ text: sessionStrings.saved, tone: 'seal' })
      onClose()
    },
    describeError: (error) => sessionErrorMessage(error, sessionStrings.saveFailed),
  })

  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={sessionStrings.settingsTitle}
      actions={
        <>
          <Button onClick={onClose}>{sessionStrings.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" busy={form.isBusy} busyLabel={sessionStrings.saving}>
            {sessionStrings.save}
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="grid gap-5">
        <RadioGroup
          label={sessionStrings.expirationTitle}
          value={String(form.values.minutes)}
          disabled={!session.is_creator}
          options={sessionLimits.offeredMinutes.map((offered) => ({
            value: String(offered),
            label: formatMinutes(offered),
          }))}
          onChange={(value) => form.setValue('minutes', Number(value))}
          hint={session.is_creator ? undefined : sessionStrings.onlyCreator}
        />
        {session.is_creator ? (
          <div className="grid gap-2.5">
            <Checkbox label={sessionStrings.lock} hint={sessionStrings.lockHint} {...form.checkbox('locked')} />
            <Checkbox
              label={sessionStrings.approval}
              hint={sessionStrings.approvalHint}
              {...form.checkbox('approval')}
            />
          </div>
        ) : null}
        <TextField
          label={sessionStrings.yourName}
          hint={sessionStrings.nameHint[keyMode]}
          placeholder={anonymousParticipant}
          maxLength={sessionLimits.nameCharacters}
          autoComplete="off"
          {...form.text('ownName')}
        />
        <FormAlert message={form.messages.form} />
      </Form>
    </Dialog>
  )
}
