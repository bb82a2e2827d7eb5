import { Suspense, useRef } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { Button, TextButton } from '#/components/ui/button.tsx'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { signInStrings } from '#/strings/account/sign-in.ts'
import { useAccounts } from '../accounts-context.ts'
import { preloadSignIn } from './load-sign-in.ts'
import { describeSignInError, useSignIn } from './use-sign-in.ts'

const MfaChallenge = lazyPart(
  async () => (await import('#/features/account/two-factor/mfa-challenge.tsx')).SecondFactorChallenge,
)
const SendConfirmation = lazyPart(async () => (await import('./send-confirmation.tsx')).SendConfirmationButton)

interface SignInFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  readonly onForgot: () => void
}

export function SignInForm({ email, onEmailChange, onForgot }: SignInFormProps) {
  const { mfa, signInDeps } = useAccounts()
  const { progress, begin } = useSignIn()
  const submitButton = useRef<HTMLButtonElement>(null)
  const form = useForm({
    initial: { password: '', remember: false },
    onSubmit: (values) => begin({ identifierText: email, ...values }),
    describeError: (error) => describeSignInError(error).message,
    onEdit: () => form.setMessages({}),
  })
  const { isUnconfirmed, hasWeakerProfile } = describeSignInError(form.error)

  function submitWithWeakerProfile() {
    // The clicked button is unmounted while signing in.
    submitButton.current?.focus()
    void form.run(() => begin({ identifierText: email, ...form.values, allowsWeakerProfile: true }))
  }

  if (progress.step === 'second-factor') {
    return (
      <Suspense>
        <MfaChallenge deps={mfa} onVerified={progress.complete} onCancel={progress.cancel} />
      </Suspense>
    )
  }
  return (
    <Form form={form} onFocus={preloadSignIn}>
      <TextField
        label={signInStrings.identifier}
        type="text"
        inputMode="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={(event) => {
          form.setMessages({})
          onEmailChange(event.target.value)
        }}
      />
      <PasswordField {...form.text('password')} />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Checkbox label={signInStrings.remember} className="flex-1 basis-60" {...form.checkbox('remember')} />
        <TextButton onClick={onForgot}>{signInStrings.forgot}</TextButton>
      </div>
      <Submit
        ref={submitButton}
        form={form}
        label={signInStrings.button}
        busyLabel={progress.step === 'done' ? signInStrings.opening : signInStrings.busy}
        disabled={email.trim() === '' || form.values.password === ''}
      >
        {isUnconfirmed ? (
          <Suspense>
            <SendConfirmation loadProvider={signInDeps.auth.provider} email={email} />
          </Suspense>
        ) : null}
        {hasWeakerProfile ? <Button onClick={submitWithWeakerProfile}>{signInStrings.useWeakerProfile}</Button> : null}
        <FormAlert tone="seal" message={progress.step === 'done' ? signInStrings.done : null} />
      </Submit>
      <p className="text-xs text-ink-3">{signInStrings.passwordStaysHere}</p>
    </Form>
  )
}
