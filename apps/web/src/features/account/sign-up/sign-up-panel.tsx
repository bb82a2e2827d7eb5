import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { useAccounts } from '../accounts-context.ts'
import { BackButton } from '../landing/back-button.tsx'
import { SendConfirmationButton } from '../sign-in/send-confirmation.tsx'
import { PlanPicker } from './plan-picker.tsx'
import { type PickedPlan, trialDaysOf } from './plans.ts'
import { TrialForm } from './trial-form.tsx'

interface SignUpPanelProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** Null while the plans are shown. */
  readonly pickedPlan: PickedPlan | null
  readonly onPick: (plan: PickedPlan) => void
  readonly onBack: () => void
  readonly onConfirmed: () => void
}

/** Sign-up in two steps: pick a plan, then fill in the form. */
export function SignUpPanel({ pickedPlan, onPick, ...rest }: SignUpPanelProps) {
  return pickedPlan === null ? (
    <PlanPicker onPick={onPick} />
  ) : (
    <TrialSignUp {...rest} isPersonal={pickedPlan === 'personal'} />
  )
}

interface TrialSignUpProps extends Omit<SignUpPanelProps, 'pickedPlan' | 'onPick'> {
  readonly isPersonal: boolean
}

function TrialSignUp({ email, onEmailChange, isPersonal, onBack, onConfirmed }: TrialSignUpProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const days = trialDaysOf(config?.plans ?? [])
  if (isUnconfirmed) return <CheckEmail email={email} onConfirmed={onConfirmed} />
  return (
    <>
      <BackButton onClick={onBack}>{signUpStrings.backToPlans}</BackButton>
      <TrialForm
        email={email}
        onEmailChange={onEmailChange}
        signsInDirectly={config?.features.verificationRequired !== true}
        notice={isPersonal ? signUpStrings.startsWithTrial(days) : null}
        onUnconfirmed={() => setUnconfirmed(true)}
      />
    </>
  )
}

interface CheckEmailProps {
  readonly email: string
  readonly onConfirmed: () => void
}

function CheckEmail({ email, onConfirmed }: CheckEmailProps) {
  const { auth } = useAccounts().signInDeps
  return (
    <div className="grid gap-4">
      <h2 className="heading text-2xl">{signUpStrings.confirmTitle}</h2>
      <p role="status" className="text-sm text-ink-2">
        {signUpStrings.confirmFirst} <bdi className="font-semibold text-ink wrap-anywhere">{email.trim()}</bdi>.
      </p>
      <p className="text-sm text-ink-2">{signUpStrings.confirmHint}</p>
      <SendConfirmationButton loadProvider={auth.provider} email={email} startsWaiting />
      <Button variant="primary" size="large" fullWidth onClick={onConfirmed}>
        {signUpStrings.goToSignIn}
      </Button>
    </div>
  )
}
