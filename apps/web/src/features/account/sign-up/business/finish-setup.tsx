import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { visibleName } from '#/components/names/visible-name.ts'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { unwrapAuthResponse } from '#/lib/api/auth-errors.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { membershipQuery } from '#/lib/api/membership.ts'
import { useOpenPaymentUrl } from '#/lib/payments/use-open-payment-url.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { businessSignUpStrings } from '#/strings/organization/business-sign-up.ts'
import { useAccounts } from '../../accounts-context.ts'
import { startSeatsCheckout } from '../../billing/checkout.ts'
import { useBuyer } from '../../billing/use-buyer.ts'
import { fewestSeatsOf } from '../plans.ts'
import { pendingOrganizationQuery } from './pending-organization.ts'
import { signUpTypes } from './sign-up-types.ts'
import { clearBusinessSignUp } from './stored-business-sign-up.ts'

interface FinishSetupProps {
  /** Of the organization. */
  readonly name: string
}

/** Leads to the checkout of the seats. Nothing where plans are not sold, or once the account has an organization. */
export function FinishSetup({ name }: FinishSetupProps) {
  const call = useCall()
  const openPayment = useOpenPaymentUrl()
  const buyer = useBuyer()
  const { data: config } = useQuery(configQuery(call))
  const { data: membership } = useQuery(membershipQuery(call))
  const ending = useEndSetup()
  const paying = useMutation({
    async mutationFn() {
      const quantity = fewestSeatsOf(config?.plans ?? [])
      await openPayment(await startSeatsCheckout(buyer, { organizationName: name, quantity }))
    },
    networkMode: 'always',
  })
  const isMember = membership !== undefined && membership.organization !== null
  const { mutate: endSetup } = ending
  useEffect(() => {
    if (isMember) endSetup(signUpTypes.paid)
  }, [isMember, endSetup])

  if (config?.features.payments !== true || membership === undefined || isMember) return null
  const error = paying.error ?? ending.error
  const fallback = paying.error ? upgradeStrings.checkoutFailedUnknown : businessSignUpStrings.notNowFailed
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-4 md:px-6">
      <Banner
        tone="brass"
        actions={
          <>
            <Button
              variant="primary"
              size="compact"
              busy={paying.isPending}
              busyLabel={upgradeStrings.creating}
              disabled={ending.isPending}
              onClick={() => {
                ending.reset()
                paying.mutate()
              }}
            >
              {upgradeStrings.checkout}
            </Button>
            <Button
              size="compact"
              busy={ending.isPending}
              disabled={paying.isPending}
              onClick={() => {
                paying.reset()
                ending.mutate(signUpTypes.declined)
              }}
            >
              {businessSignUpStrings.notNow}
            </Button>
          </>
        }
      >
        <strong className="font-semibold">{businessSignUpStrings.finish(visibleName(name))}</strong>{' '}
        {error ? messageFor(error, fallback) : businessSignUpStrings.finishText}
      </Banner>
    </div>
  )
}

/** Ends the setup for good: it is remembered with the account, and no longer in this browser. */
function useEndSetup() {
  const { auth } = useAccounts().signInDeps
  const queries = useQueryClient()
  return useMutation({
    async mutationFn(signUpType: string) {
      unwrapAuthResponse(await (await auth.provider()).updateUser({ data: { signup_type: signUpType } }))
      clearBusinessSignUp(localStorage)
    },
    networkMode: 'always',
    onSuccess: () => queries.setQueryData(pendingOrganizationQuery(auth).queryKey, null),
  })
}
