import { type FormEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { signInWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'
import { prepareEntering } from './load-enter.ts'
import { useSigningIn } from './use-signing-in.ts'

const Challenge = lazy(async () => ({ default: (await import('#/second-factor/challenge.tsx')).SecondFactorChallenge }))
const SendConfirmation = lazy(async () => ({ default: (await import('./send-confirmation.tsx')).SendConfirmation }))

interface SignInFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  readonly onForgot: () => void
}

export function SignInForm({ email, onEmailChange, onForgot }: SignInFormProps) {
  const { secondFactor } = useAccounts()
  const { signingIn, begin } = useSigningIn()
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const submitButton = useRef<HTMLButtonElement>(null)
  const isBusy = signingIn.step === 'busy' || signingIn.step === 'done'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBusy) await begin({ typed: email, password, remember })
  }

  function submitWithWeaker() {
    // The button that was pressed goes while the sign-in is under way.
    submitButton.current?.focus()
    void begin({ typed: email, password, remember, mayUseWeaker: true })
  }

  if (signingIn.step === 'second-factor') {
    return (
      <Suspense>
        <Challenge ways={secondFactor} onPassed={signingIn.pass} onGiveUp={signingIn.giveUp} />
      </Suspense>
    )
  }
  return (
    <form noValidate className="grid gap-4" onFocus={prepareEntering} onSubmit={(event) => void submit(event)}>
      <TextField
        label={signInWords.identifier}
        type="text"
        inputMode="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={(event) => onEmailChange(event.target.value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Checkbox
          label={signInWords.remember}
          className="flex-1 basis-60"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        <TextButton onClick={onForgot}>{signInWords.forgot}</TextButton>
      </div>
      <FormAlert message={signingIn.step === 'failed' ? signingIn.message : null} />
      {signingIn.step === 'failed' && signingIn.isUnconfirmed ? (
        <Suspense>
          <SendConfirmation email={email} />
        </Suspense>
      ) : null}
      {signingIn.step === 'failed' && signingIn.hasWeaker ? (
        <Button onClick={submitWithWeaker}>{signInWords.useWeaker}</Button>
      ) : null}
      <FormAlert tone="seal" message={signingIn.step === 'done' ? signInWords.done : null} />
      <Button
        ref={submitButton}
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={email.trim() === '' || password === ''}
        busy={isBusy}
        busyLabel={signInWords.busy}
      >
        {signInWords.button}
      </Button>
      <p className="text-xs text-ink-3">{signInWords.keyStaysHere}</p>
    </form>
  )
}

interface TextButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

function TextButton({ onClick, children }: TextButtonProps) {
  return (
    <button
      type="button"
      className="min-h-6 rounded-segment text-xs text-ink-2 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11"
      onClick={onClick}
    >
      {children}
    </button>
  )
}
