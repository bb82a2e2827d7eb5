import { type FormEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { useProofGuard } from '#/passwords/use-proof-guard.tsx'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { secondFactorWords } from '#/words/second-factor.ts'
import { ConfirmStep } from './confirm-step.tsx'
import {
  challengeFactor,
  enrolApp,
  enrolPhone,
  type LoadProvider,
  type NewFactor,
  type StandingFactor,
} from './factors.ts'

interface EnrolDialogProps {
  readonly kind: StandingFactor['kind']
  readonly provider: LoadProvider
  readonly takenNames: readonly string[]
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface Begun {
  readonly factor: NewFactor
  /** As it was typed; empty for an app. */
  readonly phone: string
  /** Null for an app, whose challenge is opened with the code at hand. */
  readonly challengeId: string | null
}

/** Adds a second step: a name first, then the proof that it works. */
export function EnrolDialog({ kind, provider, takenNames, onDone, onCancel }: EnrolDialogProps) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const isApp = kind === 'totp'

  async function begin(name: string, phone: string) {
    if (isApp) return setBegun({ factor: await enrolApp(provider, name), phone: '', challengeId: null })
    const factor = await enrolPhone(provider, name, phone.replace(/[^+0-9]/g, ''))
    setBegun({ factor, phone, challengeId: await challengeFactor(provider, factor.id) })
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title={isApp ? secondFactorWords.addAppTitle : secondFactorWords.addPhoneTitle}
    >
      {begun ? (
        <ConfirmStep {...begun} provider={provider} onDone={onDone} onCancel={onCancel} />
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
  const [name, setName] = useState(() =>
    freeName(isApp ? secondFactorWords.appName : secondFactorWords.phoneName, takenNames),
  )
  const [phone, setPhone] = useState('')
  const { isBusy, failure, run } = useWork((error) => speak(error, secondFactorWords.enrolFailed))
  const { guard, proofDialog } = useProofGuard()

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(() => guard(() => onBegin(name.trim(), phone)))
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {isApp ? null : (
        <TextField
          label={secondFactorWords.phoneNumber}
          hint={secondFactorWords.phoneHint}
          type="tel"
          name="phone"
          autoComplete="tel"
          dir="ltr"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
      )}
      <TextField
        label={secondFactorWords.name}
        hint={secondFactorWords.nameHint}
        name="factorName"
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <FormAlert message={failure} />
      <div className="dialog-actions mt-0!">
        <Button onClick={onCancel}>{secondFactorWords.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={name.trim() === '' || (!isApp && phone.trim() === '')}
          busy={isBusy}
          busyLabel={secondFactorWords.preparing}
        >
          {secondFactorWords.next}
        </Button>
      </div>
      {proofDialog}
    </form>
  )
}

/** Two of one name would not be told apart, and the sign-in service takes no such two. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let number = 2; ; number += 1) {
    const name = `${wanted} ${number}`
    if (!taken.includes(name)) return name
  }
}
