import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { Skeleton } from '#/components/ui/skeleton.tsx'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { type PaidPlanType, paidPlans } from '../sign-up/plans.ts'
import { OrganizationForm } from './organization-form.tsx'
import { PlanChoice } from './plan-choice.tsx'

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

/** Dialog with the paid plans; picking one opens its page. */
export function UpgradeDialog({ open, isTrialOver, message, onClose, onSignOut }: UpgradeDialogProps) {
  const navigate = useNavigate()
  const { data: config, error } = useQuery(configQuery(useCall()))
  const [plan, setPlan] = useState<PaidPlanType>('personal')
  const [isNamingOrganization, setNamingOrganization] = useState(false)
  const [isNavigating, setNavigating] = useState(false)

  async function openCheckout(organization?: string) {
    setNavigating(true)
    const query = new URLSearchParams({ plan, ...(organization ? { organization } : {}) })
    await navigate(`/upgrade?${query}`)
    setNavigating(false)
    onClose?.()
  }

  if (isNamingOrganization) {
    return (
      <Dialog open={open} onOpenChange={() => setNamingOrganization(false)} title={upgradeStrings.organizationTitle}>
        <OrganizationForm onCancel={() => setNamingOrganization(false)} onSubmit={openCheckout} />
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
          {onClose && !isTrialOver ? <Button onClick={onClose}>{upgradeStrings.cancel}</Button> : null}
          <Button
            variant="primary"
            disabled={config === undefined}
            busy={isNavigating}
            busyLabel={upgradeStrings.processing}
            onClick={() => (plan === 'business' ? setNamingOrganization(true) : void openCheckout())}
          >
            {isTrialOver ? upgradeStrings.upgrade : upgradeStrings.subscribe}
          </Button>
        </>
      }
    >
      {config ? <PlanChoice plans={paidPlans(config.plans)} value={plan} onChange={setPlan} /> : null}
      {config === undefined && error === null ? <Skeleton className="h-52 rounded-card!" /> : null}
      {config === undefined && error ? <FormAlert message={messageFor(error, upgradeStrings.plansFailed)} /> : null}
    </Dialog>
  )
}
