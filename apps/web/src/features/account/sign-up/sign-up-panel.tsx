import type { Reply } from '@sallyport/contract/endpoint'
import type { system } from '@sallyport/contract/system'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#/components/parts/lazy-part.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { registrationStrings } from '#/strings/account/registration.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { OperatorContact } from '../billing/operator-contact.tsx'
import { BackButton } from '../landing/back-button.tsx'
import { normalizeTypedEmail } from '../sign-in/identifier.ts'
import { CheckEmail } from './check-email.tsx'
import { PlanPicker } from './plan-picker.tsx'
import { type PickedPlan, trialDaysOf } from './plans.ts'
import { TrialForm } from './trial-form.tsx'
import { useUnconfirmedEmail } from './use-unconfirmed-email.ts'

const BusinessSignUp = lazyPart(async () => (await import('./business/business-sign-up.tsx')).BusinessSignUp)

interface SignUpPanelProps {
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** Null while the plans are shown. */
  readonly pickedPlan: PickedPlan | null
  readonly onPick: (plan: PickedPlan) => void
  readonly onBack: () => void
  readonly onConfirmed: () => void
}

/** Sign-up in two steps: pick a plan, then fill in the form. Without plans to pick, or by invitation, only the form. */
export function SignUpPanel({ pickedPlan: picked, onPick, ...rest }: SignUpPanelProps) {
  const { data: config } = useQuery(configQuery(useCall()))
  const canPay = config?.features.payments === true
  // The address of the form of a team may have been opened where seats are not sold.
  const pickedPlan = picked === 'business' && !canPay ? null : picked
  if (config?.registration === 'closed') return <ClosedRegistration contact={config.operatorContact} />
  const isInviteOnly = config?.registration === 'invite'
  const hasPlans = !isInviteOnly && config?.plans.length !== 0
  if (hasPlans && pickedPlan === null) return <PlanPicker onPick={onPick} />
  if (hasPlans && pickedPlan === 'business') {
    return (
      <div className="max-w-form">
        <Suspense>
          <BusinessSignUp {...rest} plans={config?.plans ?? []} />
        </Suspense>
      </div>
    )
  }
  return (
    <div className="max-w-form">
      <TrialSignUp
        {...rest}
        config={config}
        hasPlans={hasPlans}
        isInviteOnly={isInviteOnly}
        isPersonal={pickedPlan === 'personal'}
      />
    </div>
  )
}

function ClosedRegistration({ contact }: { readonly contact: string | undefined }) {
  return (
    <div className="grid max-w-form gap-3">
      <h2 className="heading text-2xl">{registrationStrings.closedTitle}</h2>
      <p className="text-sm text-ink-2">{registrationStrings.closed}</p>
      <p className="text-sm text-ink-2">
        <OperatorContact contact={contact} />
      </p>
    </div>
  )
}

interface TrialSignUpProps extends Omit<SignUpPanelProps, 'pickedPlan' | 'onPick'> {
  readonly config: Reply<typeof system.config> | undefined
  readonly hasPlans: boolean
  readonly isInviteOnly: boolean
  readonly isPersonal: boolean
}

function TrialSignUp({ email, onEmailChange, onBack, onConfirmed, ...options }: TrialSignUpProps) {
  const { config, hasPlans, isInviteOnly, isPersonal } = options
  const { unconfirmed, setUnconfirmed, clear } = useUnconfirmedEmail()
  if (unconfirmed !== null) return <CheckEmail {...unconfirmed} onConfirmed={onConfirmed} onChangeAddress={clear} />
  const trialNotice = hasPlans && isPersonal ? signUpStrings.startsWithTrial(trialDaysOf(config?.plans ?? [])) : null
  return (
    <>
      {hasPlans ? (
        <BackButton onClick={onBack}>{signUpStrings.backToPlans}</BackButton>
      ) : (
        <h2 className="heading mb-4 text-2xl">{registrationStrings.title}</h2>
      )}
      <TrialForm
        email={email}
        onEmailChange={onEmailChange}
        signsInDirectly={config?.features.verificationRequired !== true}
        notice={isInviteOnly ? registrationStrings.inviteOnly : trialNotice}
        asksForLicenceKey={isInviteOnly}
        onUnconfirmed={() => setUnconfirmed(normalizeTypedEmail(email))}
      />
    </>
  )
}
