import { type FormEvent, useEffect, useState } from 'react'
import { SecondFactorChallenge } from '#/second-factor/challenge.tsx'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PasswordField } from '#/ui/password-field.tsx'
import { stayWords } from '#/words/sign-in.ts'
import { useAccounts } from './accounts-context.ts'
import { useSigningIn } from './use-signing-in.ts'

interface StayDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** Signs in anew where somebody is signed in, without taking them from what they do. */
export function StayDialog({ name, onClose }: StayDialogProps) {
  const { enter, secondFactor } = useAccounts()
  const { signingIn, begin } = useSigningIn()
  const [password, setPassword] = useState('')
  const isBusy = signingIn.step === 'busy' || signingIn.step === 'done'

  useEffect(() => {
    if (signingIn.step === 'done') onClose()
  }, [signingIn, onClose])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBusy) await begin({ typed: name, password, remember: enter.policy.isRemembered() })
  }

  return (
    <Dialog open onOpenChange={onClose} title={stayWords.title} description={stayWords.explanation}>
      {signingIn.step === 'second-factor' ? (
        <SecondFactorChallenge ways={secondFactor} onPassed={signingIn.pass} onGiveUp={signingIn.giveUp} />
      ) : (
        <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
          {/* Password managers pick the entry by it. */}
          <input type="email" name="email" autoComplete="username" value={name} readOnly hidden />
          <PasswordField
            label={stayWords.password}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <FormAlert message={signingIn.step === 'failed' ? signingIn.message : null} />
          <div className="dialog-actions mt-0!">
            <Button onClick={onClose}>{stayWords.cancel}</Button>
            <Button type="submit" variant="primary" disabled={password === ''} busy={isBusy} busyLabel={stayWords.busy}>
              {stayWords.stay}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
