import { signUpStrings } from '#/strings/account/sign-up.ts'
import { BackButton } from '../../landing/back-button.tsx'
import { normalizeTypedEmail } from '../../sign-in/identifier.ts'
import { CheckEmail } from '../check-email.tsx'
import type { ConfiguredPlan } from '../plans.ts'
import { useUnconfirmedEmail } from '../use-unconfirmed-email.ts'
import { BusinessForm } from './business-form.tsx'
import { clearBusinessSignUp, readBusinessSignUp } from './stored-business-sign-up.ts'

interface BusinessSignUpProps {
  readonly plans: readonly ConfiguredPlan[]
  readonly email: string
  readonly onEmailChange: (email: string) => void
  readonly onBack: () => void
  readonly onConfirmed: () => void
}

/** Sign-up of a team: creates the account of its owner and leads to the checkout of its seats. */
export function BusinessSignUp({ plans, email, onEmailChange, onBack, onConfirmed }: BusinessSignUpProps) {
  const { unconfirmed, setUnconfirmed, clear } = useUnconfirmedEmail()

  function changeAddress() {
    clearBusinessSignUp(localStorage)
    clear()
  }

  if (unconfirmed !== null) {
    const organization = readBusinessSignUp(localStorage)?.organization_name
    return (
      <CheckEmail
        {...unconfirmed}
        organization={organization}
        onConfirmed={onConfirmed}
        onChangeAddress={changeAddress}
      />
    )
  }
  return (
    <>
      <BackButton onClick={onBack}>{signUpStrings.backToPlans}</BackButton>
      <BusinessForm
        plans={plans}
        email={email}
        onEmailChange={onEmailChange}
        onUnconfirmed={() => setUnconfirmed(normalizeTypedEmail(email))}
      />
    </>
  )
}
