import { billing } from '@sallyport/contract/billing'
import { useQuery } from '@tanstack/react-query'
import { ConfirmMutationDialog } from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
import { subscriptionQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { formatDate } from '#/strings/format.ts'
import { organizationStrings } from '#/strings/organization/dashboard.ts'
import { useOrganizationChange } from './organization.queries.ts'

interface CancelPlanDialogProps {
  /** Whether seats remain that are not paid for. */
  readonly hasGranted: boolean
  readonly open: boolean
  readonly onClose: () => void
}

/** Cancels what is paid for the seats at the end of the month. */
export function CancelPlanDialog({ hasGranted, open, onClose }: CancelPlanDialogProps) {
  const { data: subscription } = useQuery({ ...subscriptionQuery(useCall(), 'business'), enabled: open })
  const end = subscription?.current_period_end ?? null
  const date = end === null ? organizationStrings.endOfMonth : formatDate(end * 1000)
  const cancelling = useOrganizationChange(
    (call) => call(billing.cancelSubscription, { query: { plan: 'business' } }),
    onClose,
  )

  return (
    <ConfirmMutationDialog
      open={open}
      mutation={cancelling}
      title={organizationStrings.cancelTitle}
      description={hasGranted ? organizationStrings.cancelPartText(date) : organizationStrings.cancelText(date)}
      confirmLabel={organizationStrings.confirmCancel}
      cancelLabel={organizationStrings.keepPlan}
      busyLabel={organizationStrings.cancelling}
      formatError={(error) => messageFor(error, organizationStrings.cancelFailed)}
      onClose={onClose}
    />
  )
}
