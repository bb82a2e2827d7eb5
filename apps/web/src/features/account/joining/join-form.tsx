import { useNavigate } from 'react-router'
import { useForm } from '#/components/forms/use-form.ts'
import { Checkbox } from '#/components/ui/inputs/checkbox.tsx'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { joiningStrings } from '#/strings/organization/joining.ts'
import { useAccounts } from '../accounts-context.ts'
import { ConfirmationField, NewPasswordField, tooShortMessage } from '../password-strength/new-password-fields.tsx'
import { useSignIn } from '../sign-in/use-sign-in.ts'
import { isUnreadable } from './invitation-failure.tsx'
import { joinOrganization } from './join-organization.ts'

interface JoinFormProps {
  readonly token: string
  readonly email: string
  readonly hasAccount: boolean
  /** Called with true while the form joins and signs in, and with false if that fails. */
  readonly onJoining: (isJoining: boolean) => void
}

/** Joins with a new account or with the password of the existing one, and signs in with the same password. */
export function JoinForm({ token, email, hasAccount, onJoining }: JoinFormProps) {
  const { signInDeps } = useAccounts()
  const { begin } = useSignIn()
  const navigate = useNavigate()
  const form = useForm({
    initial: { password: '', confirmation: '', existing: hasAccount },
    validate({ password, confirmation, existing }) {
      if (existing) return null
      const tooShort = tooShortMessage(password)
      if (tooShort !== null) return { password: tooShort }
      return password === confirmation ? null : { confirmation: joiningStrings.mismatch }
    },
    async onSubmit({ password, existing }) {
      onJoining(true)
      try {
        await joinOrganization(signInDeps, { token, email, password, hasAccount: existing })
        await begin({ identifierText: email, password, remember: false })
        await navigate('/', { replace: true })
      } catch (error) {
        onJoining(false)
        throw error
      }
    },
    failed: joiningStrings.joinFailed,
    describeError: (error) => (isUnreadable(error) ? joiningStrings.requestFailed : undefined),
  })
  const { password, confirmation, existing } = form.values

  return (
    <Form form={form}>
      <EmailField value={email} readOnly />
      <Checkbox label={joiningStrings.existing} {...form.checkbox('existing')} />
      {existing ? (
        <PasswordField {...form.text('password')} />
      ) : (
        <>
          <NewPasswordField userInputs={[email]} {...form.text('password')} />
          <ConfirmationField
            label={joiningStrings.confirmPassword}
            password={password}
            {...form.text('confirmation')}
          />
        </>
      )}
      <Submit
        form={form}
        label={existing ? joiningStrings.joinButton : joiningStrings.createAndJoin}
        busyLabel={existing ? joiningStrings.joining : joiningStrings.creating}
        disabled={password === '' || (!existing && confirmation === '')}
      />
    </Form>
  )
}
