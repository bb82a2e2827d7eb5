import { ApiError } from '@sallyport/client/errors'
import { loginSuccessMs } from '@sallyport/contract/limits'
import { type FormEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { signInWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'
import { loadEnter, prepareEntering } from './load-enter.ts'
import { pause } from './pause.ts'

interface SignInFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
}

type Progress = { readonly step: 'idle' | 'busy' | 'done' } | { readonly step: 'failed'; readonly message: string }

export function SignInForm({ email, onEmailChange }: SignInFormProps) {
  const { gate, enter } = useAccounts()
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const [progress, setProgress] = useState<Progress>({ step: 'idle' })
  const isBusy = progress.step === 'busy' || progress.step === 'done'

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setProgress({ step: 'busy' })
    try {
      await gate.whileEntering(async () => {
        const { signIn } = await loadEnter()
        await signIn(enter, { typed: email, password, remember })
        setProgress({ step: 'done' })
        await pause(loginSuccessMs)
      })
    } catch (error) {
      setProgress({ step: 'failed', message: inSignInWords(error) })
    }
  }

  return (
    <form noValidate className="grid gap-4" onFocus={prepareEntering} onSubmit={(event) => void submit(event)}>
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
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Checkbox
        label={signInWords.remember}
        checked={remember}
        onChange={(event) => setRemember(event.target.checked)}
      />
      <FormAlert message={progress.step === 'failed' ? progress.message : null} />
      <FormAlert tone="seal" message={progress.step === 'done' ? signInWords.done : null} />
      <Button
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

function inSignInWords(error: unknown): string {
  const isUnconfirmed = error instanceof ApiError && /email not confirmed/i.test(error.message)
  if (isUnconfirmed) return signInWords.notConfirmed
  const isRefused = error instanceof ApiError && error.status === 401
  return speak(error, isRefused ? signInWords.refused : signInWords.failed)
}
