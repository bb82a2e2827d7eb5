import { loadCode } from '@sallyport/browser/load-code'
import { ApiError } from '@sallyport/client/errors'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { DialogSubmit } from '#/components/ui/inputs/dialog-submit.tsx'
import { Form } from '#/components/ui/inputs/form.tsx'
import { HiddenUsername, PasswordField } from '#/components/ui/inputs/password-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { type MfaChallengeDeps, SecondFactorChallenge } from '#/features/account/two-factor/mfa-challenge.tsx'
import { useApi } from '#/lib/api/api-context.ts'
import { securityStrings } from '#/strings/account/security.ts'
import { staySignedInStrings } from '#/strings/account/sign-in.ts'
import { controlStrings } from '#/strings/controls.ts'
import { useAccounts } from '../accounts-context.ts'

interface ExtendSessionDialogProps {
  readonly name: string
  readonly onClose: () => void
}

interface Challenge {
  readonly mfa: MfaChallengeDeps
  readonly complete: () => void
}

const loadExtendSession = () => loadCode(() => import('./extend-session.ts'))

/** Asks for the password again to start a new auth session without leaving the current page. */
export function StayDialog({ name, onClose }: ExtendSessionDialogProps) {
  const { authController, signInDeps } = useAccounts()
  const { createEphemeralAuthClient } = useApi()
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const cancelMfa = useRef<() => void>(undefined)
  const passwordRef = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { password: '' },
    async onSubmit({ password }) {
      const { extendSession } = await loadExtendSession()
      const deps = { ...signInDeps, createEphemeralAuthClient }
      const upgradeOffer = await extendSession(deps, { name, password, completeMfa }).finally(() => setChallenge(null))
      if (upgradeOffer) authController.offerUpgrade(upgradeOffer)
      onClose()
    },
    failed: staySignedInStrings.failed,
    describeError: (error) =>
      error instanceof ApiError && error.code === 'INVALID_CREDENTIALS' ? securityStrings.wrongPassword : undefined,
  })

  // Closing the dialog cancels a challenge that is not completed.
  useEffect(() => () => cancelMfa.current?.(), [])

  const completeMfa = (mfa: MfaChallengeDeps): Promise<void> =>
    new Promise((resolve, reject) => {
      cancelMfa.current = () => reject(new Error('Two-factor authentication was cancelled'))
      setChallenge({ mfa, complete: resolve })
    })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={staySignedInStrings.title}
      description={staySignedInStrings.explanation}
      initialFocus={passwordRef}
    >
      {challenge ? (
        <SecondFactorChallenge
          deps={challenge.mfa}
          cancelLabel={controlStrings.cancel}
          onVerified={challenge.complete}
          onCancel={onClose}
        />
      ) : (
        <Form form={form}>
          <HiddenUsername name={name} />
          <PasswordField ref={passwordRef} {...form.text('password')} />
          <DialogSubmit
            form={form}
            label={staySignedInStrings.stay}
            busyLabel={staySignedInStrings.busy}
            disabled={form.values.password === ''}
            onCancel={onClose}
          />
        </Form>
      )}
    </Dialog>
  )
}
