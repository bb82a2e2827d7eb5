import { parseOrganizationName } from '@sallyport/contract/organization-name'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '#/components/forms/use-form.ts'
import { focusOnMount } from '#/components/ui/inputs/focus-on-mount.ts'
import { Form, Submit } from '#/components/ui/inputs/form.tsx'
import { EmailField, TextField } from '#/components/ui/inputs/text-field.tsx'
import { useApi } from '#/lib/api/api-context.ts'
import { authErrorCode } from '#/lib/api/auth-errors.ts'
import { formatPrice } from '#/lib/format-price.ts'
import { useOpenPaymentUrl } from '#/lib/payments/use-open-payment-url.ts'
import { passwordStrings } from '#/strings/account/passwords.ts'
import { signUpStrings } from '#/strings/account/sign-up.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { businessSignUpStrings } from '#/strings/organization/business-sign-up.ts'
import { useAccounts } from '../../accounts-context.ts'
import { businessSuccessPath, startSeatsCheckout } from '../../billing/checkout.ts'
import { ConfirmationField, NewPasswordField, tooShortMessage } from '../../password-strength/new-password-fields.tsx'
import { preloadSignIn } from '../../sign-in/load-sign-in.ts'
import { type ConfiguredPlan, fewestSeatsOf, seatCentsOf } from '../plans.ts'
import { createBusinessAccount, type NewBuyer } from './create-business-account.ts'
import { storeBusinessSignUp } from './stored-business-sign-up.ts'

interface BusinessFormProps {
  readonly plans: readonly ConfiguredPlan[]
  readonly email: string
  readonly onEmailChange: (email: string) => void
  /** Called when the account was created but its email address has to be confirmed. */
  readonly onUnconfirmed: () => void
}

export function BusinessForm({ plans, email, onEmailChange, onUnconfirmed }: BusinessFormProps) {
  const { signInDeps } = useAccounts()
  const { createEphemeralAuthClient } = useApi()
  const openPayment = useOpenPaymentUrl()
  /** The account whose checkout could not be started: the next attempt continues with it, as it was filled in. */
  const [created, setCreated] = useState<NewBuyer | null>(null)
  const quantity = fewestSeatsOf(plans)
  const seatCents = seatCentsOf(plans)

  const hasLeft = useEndWithForm(created)

  async function createAccount(organizationName: string, password: string): Promise<NewBuyer | null> {
    const deps = { ...signInDeps, createEphemeralAuthClient }
    const buyer = await createBusinessAccount(deps, { organizationName, email, password })
    storeBusinessSignUp(localStorage, { organization_name: organizationName, quantity })
    if (hasLeft()) await buyer?.signOut()
    else setCreated(buyer)
    return buyer
  }

  const form = useForm({
    initial: { name: '', password: '', confirmation: '' },
    validate({ name, password, confirmation }) {
      const messages = {
        name: nameError(name),
        password: tooShortMessage(password),
        confirmation: password === confirmation ? null : passwordStrings.mismatch,
      }
      return Object.values(messages).every((message) => message === null) ? null : messages
    },
    async onSubmit({ name, password }) {
      const organizationName = name.trim()
      const buyer = created ?? (await createAccount(organizationName, password))
      if (hasLeft()) return
      if (!buyer) return onUnconfirmed()
      const order = { organizationName, quantity, successPath: businessSuccessPath } as const
      const checkoutUrl = await startSeatsCheckout(buyer, order)
      if (!hasLeft()) await openPayment(checkoutUrl)
    },
    failed: businessSignUpStrings.failedUnknown,
  })
  const { name, password, confirmation } = form.values
  // The account has the address and the password that were sent first.
  const isFixed = created !== null || form.isBusy

  return (
    <Form form={form} onFocus={preloadSignIn}>
      <TextField
        ref={focusOnMount}
        label={businessSignUpStrings.organizationName}
        name="organization"
        autoComplete="organization"
        readOnly={isFixed}
        {...form.text('name')}
      />
      <EmailField readOnly={isFixed} value={email} onChange={(event) => onEmailChange(event.target.value)} />
      <NewPasswordField userInputs={[email, name]} readOnly={isFixed} {...form.text('password')} />
      <ConfirmationField
        label={signUpStrings.confirmPassword}
        password={password}
        readOnly={isFixed}
        {...form.text('confirmation')}
      />
      <p className="text-sm text-ink-2 tabular-nums">
        {businessSignUpStrings.seats(quantity, formatPrice(seatCents), formatPrice(quantity * seatCents))}
      </p>
      <Submit
        form={form}
        label={businessSignUpStrings.button}
        busyLabel={businessSignUpStrings.creating}
        disabled={email.trim() === '' || password === '' || confirmation === ''}
      />
      <p className="text-xs text-ink-3">{isTaken(form.error) ? signUpStrings.mayExist : signUpStrings.keepPassword}</p>
    </Form>
  )
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && authErrorCode(error.cause) === 'user_already_exists'

/** Ends the session of the new account when the form is left. Returns whether that has happened. */
function useEndWithForm(created: NewBuyer | null): () => boolean {
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
    }
  }, [])
  // The server ends it by itself where this gets no answer.
  useEffect(() => () => void created?.signOut(), [created])
  return () => hasLeft.current
}

function nameError(name: string): string | null {
  const parsed = parseOrganizationName(name)
  if (!('error' in parsed)) return null
  return parsed.error === 'missing' ? upgradeStrings.organizationMissing : upgradeStrings.organizationInvalid
}
