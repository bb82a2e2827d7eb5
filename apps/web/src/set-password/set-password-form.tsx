import { passwordLimits } from '@sallyport/contract/limits'
import { type FormEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import type { StartedAgain } from '#/keys/start-again.ts'
import { MatchHint } from '#/passwords/match-hint.tsx'
import { PasswordStrength } from '#/passwords/password-strength.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { passwordWords } from '#/words/passwords.ts'
import { setPasswordWords } from '#/words/set-password.ts'
import { type KeyChoice, KeyChoiceFields, missingOf, type WayOn, wayOnFor } from './key-choice.tsx'
import { type Deriving, type Recovery, type Stakes, setPassword } from './recovery.ts'

interface SetPasswordFormProps {
  readonly deriving: Deriving
  readonly recovery: Recovery
  readonly stakes: Stakes
  readonly onSet: (started: StartedAgain) => Promise<void>
}

/** The new password; before it, what becomes of the files. */
export function SetPasswordForm({ recovery, stakes, deriving, onSet }: SetPasswordFormProps) {
  const [password, setPasswordText] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [choice, setChoice] = useState<KeyChoice>({
    hasKey: stakes.hasRecoveryKey,
    recoveryKey: '',
    acceptsLoss: false,
  })
  const { isBusy, failure, setFailure, run } = useWork((error) => speak(error, setPasswordWords.failed))
  const wayOn: WayOn = wayOnFor(stakes, choice)

  function findFault(): string | null {
    if (password.length < passwordLimits.fewestCharacters) return passwordWords.tooShort
    if (password !== confirmation) return passwordWords.different
    return missingOf(wayOn, choice)
  }

  async function set() {
    const recoveryKey = wayOn === 'recovery-key' ? choice.recoveryKey : null
    await onSet(await setPassword(deriving, recovery, { password, recoveryKey }))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const fault = findFault()
    setFailure(fault)
    if (fault === null) void run(set)
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <div>
        <h1 className="heading text-2xl">
          {stakes.hasKeys ? setPasswordWords.titleForgotten : setPasswordWords.titleNew}
        </h1>
        <p className="mt-1.5 text-sm text-ink-2">
          {setPasswordWords.account}{' '}
          <bdi className="font-semibold text-ink wrap-anywhere">{recovery.email || recovery.phone}</bdi>
        </p>
      </div>
      {/* Password managers pick the entry by it. */}
      <input type="email" name="email" autoComplete="username" value={recovery.email} readOnly hidden />
      <KeyChoiceFields stakes={stakes} wayOn={wayOn} choice={choice} onChange={setChoice} />
      <PasswordField
        label={setPasswordWords.password}
        name="password"
        autoComplete="new-password"
        value={password}
        hint={<PasswordStrength password={password} own={[recovery.email]} />}
        onChange={(event) => setPasswordText(event.target.value)}
      />
      <PasswordField
        label={setPasswordWords.confirmation}
        name="confirmation"
        autoComplete="new-password"
        value={confirmation}
        hint={<MatchHint password={password} confirmation={confirmation} />}
        onChange={(event) => setConfirmation(event.target.value)}
      />
      <FormAlert message={failure} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={password === '' || confirmation === ''}
        busy={isBusy}
        busyLabel={setPasswordWords.busy}
      >
        {recovery.isInvited ? setPasswordWords.buttonTeam : setPasswordWords.button}
      </Button>
    </form>
  )
}
