import { ApiError } from '@sallyport/client/errors'
import { invitations } from '@sallyport/contract/invitations'
import { useForm } from '#/components/forms/use-form.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { EmailField } from '#/components/ui/inputs/text-field.tsx'
import { NewPasswordField, tooShortMessage } from '#/features/account/password-strength/new-password-fields.tsx'
import { normalizeTypedEmail } from '#/features/account/sign-in/identifier.ts'
import { currentProfile } from '#/lib/keys/login-profile.ts'
import { getKdfParams, type KeyDerivationDeps } from '#/lib/keys/password-keys.ts'
import { inviteStrings } from '#/strings/account/invitations.ts'

interface ClaimFormProps {
  readonly keyDerivation: KeyDerivationDeps
  readonly token: string
  readonly onCreated: (email: string) => void
  /** The invitation was claimed by another user or has expired in the meantime. */
  readonly onInvalid: () => void
}

export function ClaimForm({ keyDerivation, token, onCreated, onInvalid }: ClaimFormProps) {
  const form = useForm({
    initial: { email: '', password: '' },
    validate({ password }) {
      const tooShort = tooShortMessage(password)
      return tooShort === null ? null : { password: tooShort }
    },
    async onSubmit({ email, password }) {
      try {
        await claimLicence(keyDerivation, { email, password, token })
        onCreated(normalizeTypedEmail(email))
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'INVITATION_INVALID')) throw error
        onInvalid()
      }
    },
    failed: inviteStrings.failed,
  })
  const { email, password } = form.values

  return (
    <Form form={form}>
      <EmailField {...form.text('email')} />
      <NewPasswordField userInputs={[email]} {...form.text('password')} />
      <Submit
        form={form}
        label={inviteStrings.button}
        busyLabel={inviteStrings.busy}
        disabled={email.trim() === '' || password === ''}
      />
    </Form>
  )
}

interface ClaimLicenceInput {
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Creates an account with the licence of the invitation. The password itself is never sent. */
async function claimLicence(deps: KeyDerivationDeps, { email, password, token }: ClaimLicenceInput): Promise<void> {
  const address = normalizeTypedEmail(email)
  const { salt } = await getKdfParams(deps, { email: address })
  const { credential } = await deps.deriveSecrets({ password, salt, profile: currentProfile })
  await deps.call(invitations.registerWithMagicLink, {
    body: { email: address, password: credential, magicToken: token },
  })
}
