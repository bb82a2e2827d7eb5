import { useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useReauthGuard } from '#/features/account/password-strength/use-reauth-guard.tsx'
import { mfaStrings } from '#/strings/account/mfa.ts'
import { ConfirmStep } from './confirm-step.tsx'
import {
  challengeFactor,
  enrolApp,
  enrolPhone,
  type LoadProvider,
  type NewFactor,
  type VerifiedFactor,
} from './factors.ts'

interface EnrolDialogProps {
  readonly kind: VerifiedFactor['kind']
  readonly provider: LoadProvider
  readonly takenNames: readonly string[]
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface PendingEnrolment {
  readonly factor: NewFactor
  /** As typed; empty for an app. */
  readonly phone: string
  /** Null for an app, whose challenge is created when the code is submitted. */
  readonly challengeId: string | null
}

/** Adds a factor in two steps: name it, then confirm it with a first code. */
export function EnrolDialog({ kind, provider, takenNames, onDone, onCancel }: EnrolDialogProps) {
  const [enrolment, setEnrolment] = useState<PendingEnrolment | null>(null)
  const isApp = kind === 'totp'

  async function begin(name: string, phone: string) {
    if (isApp) return setEnrolment({ factor: await enrolApp(provider, name), phone: '', challengeId: null })
    const factor = await enrolPhone(provider, name, phone.replace(/[^+0-9]/g, ''))
    setEnrolment({ factor, phone, challengeId: await challengeFactor(provider, factor.id) })
  }

  return (
    <Dialog open onOpenChange={onCancel} title={isApp ? mfaStrings.addAppTitle : mfaStrings.addPhoneTitle}>
      {enrolment ? (
        <ConfirmStep {...enrolment} provider={provider} onDone={onDone} onCancel={onCancel} />
      ) : (
        <NameStep isApp={isApp} takenNames={takenNames} onBegin={begin} onCancel={onCancel} />
      )}
    </Dialog>
  )
}

interface NameStepProps {
  readonly isApp: boolean
  readonly takenNames: readonly string[]
  readonly onBegin: (name: string, phone: string) => Promise<void>
  readonly onCancel: () => void
}

function NameStep({ isApp, takenNames, onBegin, onCancel }: NameStepProps) {
  const { guard, reauthDialog } = useReauthGuard()
  const form = useForm({
    initial: { name: uniqueName(isApp ? mfaStrings.appName : mfaStrings.phoneName, takenNames), phone: '' },
    onSubmit: ({ name, phone }) => guard(() => onBegin(name.trim(), phone)),
    failed: mfaStrings.enrolFailed,
  })
  const { name, phone } = form.values

  return (
    <Form form={form}>
      {isApp ? null : (
        <TextField
          label={mfaStrings.phoneNumber}
          hint={mfaStrings.phoneHint}
          type="tel"
          name="phone"
          autoComplete="tel"
          dir="ltr"
          {...form.text('phone')}
        />
      )}
      <TextField
        label={mfaStrings.name}
        hint={mfaStrings.nameHint}
        name="factorName"
        autoComplete="off"
        maxLength={60}
        {...form.text('name')}
      />
      <DialogSubmit
        form={form}
        label={mfaStrings.next}
        busyLabel={mfaStrings.preparing}
        disabled={name.trim() === '' || (!isApp && phone.trim() === '')}
        onCancel={onCancel}
      />
      {reauthDialog}
    </Form>
  )
}

/** Finds a name that is not taken: the auth service rejects duplicate factor names. */
export function uniqueName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let number = 2; ; number += 1) {
    const name = `${wanted} ${number}`
    if (!taken.includes(name)) return name
  }
}
