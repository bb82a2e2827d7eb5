import { ApiError } from '@sallyport/client/errors'
import { type FormEvent, useRef, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { useWork } from '#/ui/use-work.ts'
import { passwordProofWords } from '#/words/password-proof.ts'
import { usePasswordProof } from './password-proof-context.ts'

interface ConfirmPasswordDialogProps {
  readonly onConfirmed: () => void
  readonly onCancel: () => void
}

/** Asks for the account's password before a change to what protects the account. */
export function ConfirmPasswordDialog({ onConfirmed, onCancel }: ConfirmPasswordDialogProps) {
  const { name, confirm } = usePasswordProof()
  const [password, setPassword] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const { isBusy, failure, setFailure, run } = useWork((error) =>
    error instanceof ApiError && error.code === 'PASSWORD_INVALID'
      ? passwordProofWords.wrong
      : speak(error, passwordProofWords.failed),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    // The form of the dialog underneath is an ancestor in React's tree.
    event.stopPropagation()
    void run(async () => {
      await confirm(password)
      onConfirmed()
    })
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title={passwordProofWords.title}
      description={passwordProofWords.text}
      initialFocus={box}
    >
      <form noValidate className="grid gap-4" onSubmit={submit}>
        {/* Password managers pick the entry by it. */}
        <input type="email" name="email" autoComplete="username" value={name} readOnly hidden />
        <PasswordField
          ref={box}
          label={passwordProofWords.password}
          name="current-password"
          autoComplete="current-password"
          value={password}
          error={failure}
          onChange={(event) => {
            setPassword(event.target.value)
            setFailure(null)
          }}
        />
        <div className="dialog-actions mt-0!">
          <Button onClick={onCancel}>{passwordProofWords.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={password === ''}
            busy={isBusy}
            busyLabel={passwordProofWords.checking}
          >
            {passwordProofWords.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
