import { ApiError } from '@sallyport/client/errors'
import { loginSuccessMs, passwordLimits } from '@sallyport/contract/limits'
import { type FormEvent, useId, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { MatchHint } from '#/passwords/match-hint.tsx'
import { PasswordStrength } from '#/passwords/password-strength.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { signUpWords } from '#/words/sign-up.ts'
import { useAccounts } from './accounts-context.ts'
import { loadEnter, prepareEntering } from './load-enter.ts'
import { pause } from './pause.ts'

interface TrialFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** A new account may go in at once, without confirming its address first. */
  readonly mayEnter: boolean
  /** What the visitor should know before signing up, if anything. */
  readonly notice: string | null
  /** The account is made, but its address has to be confirmed. */
  readonly onUnconfirmed: () => void
}

type Progress = { readonly step: 'idle' | 'busy' | 'done' } | { readonly step: 'failed'; readonly message: string }

export function TrialForm({ email, onEmailChange, mayEnter, notice, onUnconfirmed }: TrialFormProps) {
  const { gate, enter } = useAccounts()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [licenseKey, setLicenseKey] = useState('')
  const [isShort, setShort] = useState(false)
  const [progress, setProgress] = useState<Progress>({ step: 'idle' })
  const isBusy = progress.step === 'busy' || progress.step === 'done'
  const isIncomplete = email.trim() === '' || password === '' || confirmation === ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || password !== confirmation) return
    setShort(password.length < passwordLimits.fewestCharacters)
    if (password.length < passwordLimits.fewestCharacters) return
    setProgress({ step: 'busy' })
    try {
      await gate.whileEntering(async () => {
        const given = { email, password, licenseKey: licenseKey.trim(), mayEnter }
        const { register } = await loadEnter()
        const entered = await register(enter, given)
        if (!entered) return onUnconfirmed()
        setProgress({ step: 'done' })
        await pause(loginSuccessMs)
      })
    } catch (error) {
      // The form was sent before it was known whether addresses have to be confirmed.
      if (error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED') return onUnconfirmed()
      setProgress({ step: 'failed', message: speak(error, signUpWords.accountFailed) })
    }
  }

  return (
    <form noValidate className="grid gap-4" onFocus={prepareEntering} onSubmit={(event) => void submit(event)}>
      {notice ? <p className="text-xs text-ink-2">{notice}</p> : null}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => onEmailChange(event.target.value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        value={password}
        hint={<PasswordStrength password={password} own={[email]} />}
        error={isShort ? signUpWords.passwordTooShort : null}
        onChange={(event) => {
          setShort(false)
          setPassword(event.target.value)
        }}
      />
      <PasswordField
        label="Confirm password"
        name="confirmation"
        autoComplete="new-password"
        value={confirmation}
        hint={<MatchHint password={password} confirmation={confirmation} />}
        onChange={(event) => setConfirmation(event.target.value)}
      />
      <LicenceKeyField value={licenseKey} onChange={setLicenseKey} />
      <FormAlert message={progress.step === 'failed' ? progress.message : null} />
      <FormAlert tone="seal" message={progress.step === 'done' ? signUpWords.done : null} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={isIncomplete}
        busy={isBusy}
        busyLabel={signUpWords.busy}
      >
        {signUpWords.button}
      </Button>
      <p className="text-xs text-ink-3">{signUpWords.keepPassword}</p>
    </form>
  )
}

interface LicenceKeyFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function LicenceKeyField({ value, onChange }: LicenceKeyFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (!isOpen) {
    return (
      <button
        type="button"
        aria-expanded={false}
        aria-controls={id}
        className="min-h-6 justify-self-start rounded-segment text-xs text-ink-2 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(true)}
      >
        {signUpWords.haveLicenceKey}
      </button>
    )
  }
  return (
    <div id={id}>
      <TextField
        ref={takeFocus}
        label={signUpWords.licenceKey}
        name="licenseKey"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

/** For a field that the person has just asked for. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus()
}
