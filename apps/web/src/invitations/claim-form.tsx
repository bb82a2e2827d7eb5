import { ApiError } from '@sallyport/client/errors'
import { passwordLimits } from '@sallyport/contract/limits'
import { type FormEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import type { DeriveDeps } from '#/keys/password-keys.ts'
import { PasswordStrength } from '#/passwords/password-strength.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { inviteWords } from '#/words/invitations.ts'
import { passwordWords } from '#/words/passwords.ts'
import { claimLicence } from './claim-licence.ts'

interface ClaimFormProps {
  readonly deriving: DeriveDeps
  readonly token: string
  readonly onCreated: (email: string) => void
  /** Somebody else was faster, or the invitation has run out meanwhile. */
  readonly onInvalid: () => void
}

export function ClaimForm({ deriving, token, onCreated, onInvalid }: ClaimFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShort, setShort] = useState(false)
  const { isBusy, failure, run } = useWork((error) => speak(error, inviteWords.failed))

  async function claim() {
    try {
      await claimLicence(deriving, { email, password, token })
      onCreated(email.trim())
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'INVITATION_INVALID')) throw error
      onInvalid()
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isTooShort = password.length < passwordLimits.fewestCharacters
    setShort(isTooShort)
    if (!isTooShort) void run(claim)
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <TextField
        label={inviteWords.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label={inviteWords.password}
        name="password"
        autoComplete="new-password"
        value={password}
        hint={<PasswordStrength password={password} own={[email]} />}
        error={isShort ? passwordWords.tooShort : null}
        onChange={(event) => {
          setShort(false)
          setPassword(event.target.value)
        }}
      />
      <FormAlert message={failure} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        fullWidth
        disabled={email.trim() === '' || password === ''}
        busy={isBusy}
        busyLabel={inviteWords.busy}
      >
        {inviteWords.button}
      </Button>
    </form>
  )
}
