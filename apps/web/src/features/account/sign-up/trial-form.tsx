import { ApiError } from '@sallyport/client/errors'
import { loginSuccessMs } from '@sallyport/contract/limits'
import { useId, useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { TextButton } from '#/components/ui/button.tsx'
import { focusOnMount } from '#/components/ui/inputs/focus-on-mount.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { EmailField, TextField, type TextFieldProps } from '#/components/ui/inputs/text-field.tsx'
import {
  ConfirmationField,
  NewPasswordField,
  tooShortMessage,
} from '#/features/account/password-strength/new-password-fields.tsx'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { useAccounts } from '../accounts-context.ts'
import { delay } from '../sign-in/delay.ts'
import { loadSignIn, preloadSignIn } from '../sign-in/load-sign-in.ts'

interface TrialFormProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** Whether a new account may sign in at once, without confirming its email address. */
  readonly signsInDirectly: boolean
  /** A notice to show before signing up; null for none. */
  readonly notice: string | null
  /** Shows the field for a licence key from the start. */
  readonly asksForLicenceKey?: boolean
  /** Called when the account was created but its email address has to be confirmed. */
  readonly onUnconfirmed: () => void
}

export function TrialForm(props: TrialFormProps) {
  const { email, onEmailChange, signsInDirectly, notice, asksForLicenceKey = false, onUnconfirmed } = props
  const { authController, signInDeps } = useAccounts()
  const [isDone, setDone] = useState(false)
  const form = useForm({
    initial: { password: '', confirmation: '', licenseKey: '' },
    validate(values) {
      // The hint below the confirmation shows the mismatch.
      if (values.password !== values.confirmation) return {}
      const tooShort = tooShortMessage(values.password)
      return tooShort === null ? null : { password: tooShort }
    },
    async onSubmit(values) {
      try {
        await authController.whileSigningIn(async () => {
          const input = { email, password: values.password, licenseKey: values.licenseKey.trim(), signsInDirectly }
          const { register } = await loadSignIn()
          const result = await register(signInDeps, input)
          if (!result) return onUnconfirmed()
          setDone(true)
          await delay(loginSuccessMs)
        })
      } catch (error) {
        // The form was submitted before the configuration said whether email addresses have to be confirmed.
        if (!(error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED')) throw error
        onUnconfirmed()
      }
    },
    failed: signUpStrings.accountFailed,
  })
  const { password, confirmation } = form.values

  return (
    <Form form={form} onFocus={preloadSignIn}>
      {notice ? <p className="text-xs text-ink-2">{notice}</p> : null}
      <EmailField ref={focusOnMount} value={email} onChange={(event) => onEmailChange(event.target.value)} />
      <NewPasswordField userInputs={[email]} {...form.text('password')} />
      <ConfirmationField label={signUpStrings.confirmPassword} password={password} {...form.text('confirmation')} />
      <LicenceKeyField startsOpen={asksForLicenceKey} {...form.text('licenseKey')} />
      <Submit
        form={form}
        label={signUpStrings.button}
        busyLabel={isDone ? signUpStrings.signingIn : signUpStrings.busy}
        disabled={email.trim() === '' || password === '' || confirmation === ''}
      >
        <FormAlert tone="seal" message={isDone ? signUpStrings.done : null} />
      </Submit>
      <p className="text-xs text-ink-3">{signUpStrings.keepPassword}</p>
    </Form>
  )
}

interface LicenceKeyFieldProps extends Pick<TextFieldProps, 'value' | 'error' | 'onChange'> {
  readonly startsOpen: boolean
}

function LicenceKeyField({ startsOpen, ...field }: LicenceKeyFieldProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  const id = useId()
  if (!isOpen) {
    return (
      <TextButton aria-expanded={false} aria-controls={id} className="justify-self-start" onClick={() => setOpen(true)}>
        {signUpStrings.enterLicenceKey}
      </TextButton>
    )
  }
  return (
    <div id={id}>
      <TextField
        ref={startsOpen ? undefined : focusOnMount}
        label={signUpStrings.licenceKey}
        name="licenseKey"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        {...field}
      />
    </div>
  )
}
