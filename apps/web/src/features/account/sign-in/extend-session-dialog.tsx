import { useEffect } from 'react'
import { useForm } from '#/components/ui/hooks/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { SecondFactorChallenge } from '#/features/account/two-factor/mfa-challenge.tsx'
import { staySignedInStrings } from '#/strings/account/sign-in.ts'
import { useAccounts } from '../accounts-context.ts'
import { describeSignInError, useSignIn } from './use-sign-in.ts'

interface ExtendSessionDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** Asks for the password again to start a new auth session without leaving the current page. */
export function StayDialog({ name, onClose }: ExtendSessionDialogProps) {
  const { signInDeps, mfa } = useAccounts()
  const { progress, begin } = useSignIn()
  const form = useForm({
    initial: { password: '' },
    onSubmit: ({ password }) =>
      begin({ identifierText: name, password, remember: signInDeps.sessionLifetime.isRemembered() }),
    describeError: (error) => describeSignInError(error).message,
  })

  useEffect(() => {
    if (progress.step === 'done') onClose()
  }, [progress, onClose])

  return (
    <Dialog open onOpenChange={onClose} title={staySignedInStrings.title} description={staySignedInStrings.explanation}>
      {progress.step === 'second-factor' ? (
        <SecondFactorChallenge deps={mfa} onVerified={progress.complete} onCancel={progress.cancel} />
      ) : (
        <Form form={form}>
          <HiddenUsername name={name} />
          <PasswordField
            label={staySignedInStrings.password}
            name="password"
            autoComplete="current-password"
            {...form.text('password')}
          />
          <DialogSubmit
            form={form}
            label={staySignedInStrings.stay}
            busyLabel={staySignedInStrings.busy}
            disabled={form.values.password === ''}
            cancelLabel={staySignedInStrings.cancel}
            onCancel={onClose}
          />
        </Form>
      )}
    </Dialog>
  )
}
