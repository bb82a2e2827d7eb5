import { useForm } from '#/components/forms/use-form.ts'
import { visibleName } from '#/components/names/visible-name.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername } from '#/components/ui/inputs/password-field.tsx'
import {
  ConfirmationField,
  NewPasswordField,
  tooShortMessage,
} from '#/features/account/password-strength/new-password-fields.tsx'
import type { RecoveredAccount } from '#/lib/keys/recover-account.ts'
import { passwordStrings } from '#/strings/account/passwords.ts'
import { setPasswordStrings } from '#/strings/account/set-password.ts'
import { KeyChoiceFields, missingInputMessage, recoveryModeFor, type SetPasswordValues } from './key-choice.tsx'
import { type AccountKeyStatus, type KeyDerivation, type RecoveryAuthSession, setPassword } from './recovery.ts'

interface SetPasswordFormProps {
  readonly keyDerivation: KeyDerivation
  readonly recovery: RecoveryAuthSession
  readonly keyStatus: AccountKeyStatus
  /** The organization that the account joins with the new password; null for none. */
  readonly organization: string | null
  readonly onSet: (recovered: RecoveredAccount) => Promise<void>
}

/** Asks for the new password, preceded by the choice of what happens to the files. */
export function SetPasswordForm({ recovery, keyStatus, organization, keyDerivation, onSet }: SetPasswordFormProps) {
  const form = useForm<SetPasswordValues>({
    initial: {
      hasKey: keyStatus.hasRecoveryKey,
      recoveryKey: '',
      acceptsLoss: false,
      password: '',
      confirmation: '',
    },
    validate(values) {
      const mismatch = values.password === values.confirmation ? null : passwordStrings.mismatch
      const message = tooShortMessage(values.password) ?? mismatch ?? missingInputMessage(keyStatus, values)
      return message === null ? null : { form: message }
    },
    async onSubmit(values) {
      const recoveryKey = recoveryModeFor(keyStatus, values) === 'recovery-key' ? values.recoveryKey : null
      await onSet(await setPassword(keyDerivation, recovery, { password: values.password, recoveryKey }))
    },
    failed: setPasswordStrings.failed,
  })
  const { password, confirmation } = form.values

  return (
    <Form form={form}>
      <div>
        <h1 className="heading text-2xl">
          {keyStatus.hasKeys ? setPasswordStrings.titleForgotten : setPasswordStrings.titleNew}
        </h1>
        <p className="mt-1.5 text-sm text-ink-2">
          {setPasswordStrings.account}{' '}
          <bdi className="font-semibold text-ink wrap-anywhere">{recovery.email || recovery.phone}</bdi>
        </p>
        {organization === null ? null : (
          <p className="mt-1.5 text-sm text-ink-2 wrap-anywhere">
            {setPasswordStrings.joins(visibleName(organization))}
          </p>
        )}
      </div>
      <HiddenUsername name={recovery.email} />
      <KeyChoiceFields keyStatus={keyStatus} form={form} />
      <NewPasswordField label={setPasswordStrings.password} userInputs={[recovery.email]} {...form.text('password')} />
      <ConfirmationField label={setPasswordStrings.confirmation} password={password} {...form.text('confirmation')} />
      <Submit
        form={form}
        label={recovery.isInvited || organization !== null ? setPasswordStrings.buttonTeam : setPasswordStrings.button}
        busyLabel={setPasswordStrings.busy}
        disabled={password === '' || confirmation === ''}
      />
    </Form>
  )
}
