import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { Button } from '#/ui/button.tsx'
import { signUpWords } from '#/words/sign-up.ts'
import { BackButton } from './back-button.tsx'
import { PlanPicker } from './plan-picker.tsx'
import { type PickedPlan, trialDaysOf } from './plans.ts'
import { SendConfirmation } from './send-confirmation.tsx'
import { TrialForm } from './trial-form.tsx'

interface SignUpPanelProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** Null while the plans are shown. */
  readonly picked: PickedPlan | null
  readonly onPick: (plan: PickedPlan) => void
  readonly onBack: () => void
  readonly onConfirmed: () => void
}

/** From the plans by way of a form to an account. */
export function SignUpPanel({ picked, onPick, ...rest }: SignUpPanelProps) {
  return picked === null ? <PlanPicker onPick={onPick} /> : <Trial {...rest} isPersonal={picked === 'personal'} />
}

interface TrialProps extends Omit<SignUpPanelProps, 'picked' | 'onPick'> {
  readonly isPersonal: boolean
}

function Trial({ email, onEmailChange, isPersonal, onBack, onConfirmed }: TrialProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const days = trialDaysOf(config?.plans ?? [])
  if (isUnconfirmed) return <CheckMail email={email} onConfirmed={onConfirmed} />
  return (
    <>
      <BackButton onClick={onBack}>{signUpWords.backToPlans}</BackButton>
      <TrialForm
        email={email}
        onEmailChange={onEmailChange}
        mayEnter={config?.features.verificationRequired !== true}
        notice={isPersonal ? signUpWords.startsWithTrial(days) : null}
        onUnconfirmed={() => setUnconfirmed(true)}
      />
    </>
  )
}

interface CheckMailProps {
  readonly email: string
  readonly onConfirmed: () => void
}

function CheckMail({ email, onConfirmed }: CheckMailProps) {
  return (
    <div className="grid gap-4">
      <h2 className="heading text-2xl">{signUpWords.confirmTitle}</h2>
      <p role="status" className="text-sm text-ink-2">
        {signUpWords.confirmFirst} <bdi className="font-semibold text-ink wrap-anywhere">{email.trim()}</bdi>.
      </p>
      <p className="text-sm text-ink-2">{signUpWords.confirmHow}</p>
      <SendConfirmation email={email} startsWaiting />
      <Button variant="primary" size="large" fullWidth onClick={onConfirmed}>
        {signUpWords.confirmed}
      </Button>
    </div>
  )
}
