import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCall } from '#/api/api-context.ts'
import { configQuery } from '#/api/config.query.ts'
import { speak } from '#/api/failure.ts'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { upgradeWords } from '#/words/upgrade.ts'
import { OrganizationForm } from './organization-form.tsx'
import { type PaidPlanType, paidPlans } from './paid-plans.ts'
import { PlanChoice } from './plan-choice.tsx'

interface UpgradeDialogProps {
  readonly open: boolean
  readonly isTrialOver: boolean
  /** What the server says about it. */
  readonly message: string | null
  /** Null where nothing but another plan closes it. */
  readonly onClose: (() => void) | null
  /** The way out that even a persistent dialog leaves; null for somebody who is not signed in. */
  readonly onSignOut: (() => void) | null
}

/** The plans that cost something; choosing one leads to its page. */
export function UpgradeDialog({ open, isTrialOver, message, onClose, onSignOut }: UpgradeDialogProps) {
  const navigate = useNavigate()
  const { data: config, error } = useQuery(configQuery(useCall()))
  const [plan, setPlan] = useState<PaidPlanType>('personal')
  const [isNaming, setNaming] = useState(false)
  const [isLeaving, setLeaving] = useState(false)

  async function checkOut(organization?: string) {
    setLeaving(true)
    const query = new URLSearchParams({ plan, ...(organization ? { organization } : {}) })
    await navigate(`/upgrade?${query}`)
    setLeaving(false)
    onClose?.()
  }

  if (isNaming) {
    return (
      <Dialog open={open} onOpenChange={() => setNaming(false)} title={upgradeWords.organizationTitle}>
        <OrganizationForm busy={isLeaving} onCancel={() => setNaming(false)} onSubmit={(name) => void checkOut(name)} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={() => onClose?.()}
      closable={onClose !== null}
      wide
      title={isTrialOver ? upgradeWords.trialOver : upgradeWords.title}
      description={message}
      actions={
        <>
          {onSignOut ? (
            <Button variant="quiet" onClick={onSignOut}>
              {upgradeWords.signOut}
            </Button>
          ) : null}
          {onClose && !isTrialOver ? <Button onClick={onClose}>{upgradeWords.cancel}</Button> : null}
          <Button
            variant="primary"
            disabled={config === undefined}
            busy={isLeaving}
            busyLabel={upgradeWords.processing}
            onClick={() => (plan === 'business' ? setNaming(true) : void checkOut())}
          >
            {isTrialOver ? upgradeWords.upgrade : upgradeWords.subscribe}
          </Button>
        </>
      }
    >
      {config ? <PlanChoice plans={paidPlans(config.plans)} value={plan} onChange={setPlan} /> : null}
      {config === undefined && error === null ? <Skeleton className="h-52 rounded-card!" /> : null}
      {config === undefined && error ? <FormAlert message={speak(error, upgradeWords.plansFailed)} /> : null}
    </Dialog>
  )
}
