import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { useOpenPaymentUrl } from '#/lib/payments/use-open-payment-url.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { controlStrings } from '#/strings/controls.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fewestSeatsOf, type PaidPlanType, paidPlans } from '../sign-up/plans.ts'
import { startCheckout, startSeatsCheckout } from './checkout.ts'
import { OrganizationForm } from './organization-form.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { useBuyer } from './use-buyer.ts'

interface UpgradeDialogProps {
  readonly open: boolean
  readonly isTrialOver: boolean
  /** The server's message about the licence. */
  readonly message: string | null
  /** Null if only a new plan closes the dialog. */
  readonly onClose: (() => void) | null
  /** Signs out, possible even in a persistent dialog; null if no user is signed in. */
  readonly onSignOut: (() => void) | null
}

/** Dialog with the paid plans. Picking one leads to the page to pay on, or to the page that says how to get it. */
export function UpgradeDialog({ open, isTrialOver, message, onClose, onSignOut }: UpgradeDialogProps) {
  const navigate = useNavigate()
  const openPayment = useOpenPaymentUrl()
  const { data: config, error } = useQuery(configQuery(useCall()))
  const [plan, setPlan] = useState<PaidPlanType>('personal')
  const [isNamingOrganization, setNamingOrganization] = useState(false)
  const buyer = useBuyer()
  const subscribing = useMutation({
    async mutationFn() {
      if (config?.features.payments === true) return openPayment(await startCheckout(buyer))
      await navigate('/upgrade?plan=personal')
      onClose?.()
    },
    networkMode: 'always',
  })

  async function buySeats(organizationName: string) {
    if (config?.features.payments === true) {
      return openPayment(await startSeatsCheckout(buyer, { organizationName, quantity: fewestSeatsOf(config.plans) }))
    }
    await navigate(`/upgrade?${new URLSearchParams({ plan, organization: organizationName })}`)
    onClose?.()
  }

  if (isNamingOrganization) {
    return (
      <Dialog open={open} onOpenChange={() => setNamingOrganization(false)} title={upgradeStrings.organizationTitle}>
        <OrganizationForm onCancel={() => setNamingOrganization(false)} onSubmit={buySeats} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={() => onClose?.()}
      closable={onClose !== null}
      wide
      title={isTrialOver ? upgradeStrings.trialOver : upgradeStrings.title}
      description={message}
      actions={
        <>
          {onSignOut ? (
            <Button variant="quiet" onClick={onSignOut}>
              {upgradeStrings.signOut}
            </Button>
          ) : null}
          {onClose && !isTrialOver ? <Button onClick={onClose}>{controlStrings.cancel}</Button> : null}
          <Button
            variant="primary"
            disabled={config === undefined}
            busy={subscribing.isPending}
            busyLabel={upgradeStrings.processing}
            onClick={() => (plan === 'business' ? setNamingOrganization(true) : subscribing.mutate())}
          >
            {isTrialOver ? upgradeStrings.upgrade : upgradeStrings.subscribe}
          </Button>
        </>
      }
    >
      {config ? <PlanChoice plans={paidPlans(config.plans)} value={plan} onChange={setPlan} /> : null}
      {config === undefined && error === null ? <Skeleton className="h-52 rounded-card!" /> : null}
      {config === undefined && error ? <FormAlert message={messageFor(error, upgradeStrings.plansFailed)} /> : null}
      {subscribing.error ? (
        <FormAlert message={messageFor(subscribing.error, upgradeStrings.checkoutFailedUnknown)} />
      ) : null}
    </Dialog>
  )
}
