import { billing } from '@sallyport/contract/billing'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
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
  const cancelling = useOrganizationChange(
    (call) => call(billing.cancelSubscription, { query: { plan: 'business' } }),
    onClose,
  )

  function close() {
    cancelling.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={organizationStrings.cancelTitle}
      description={hasGranted ? organizationStrings.cancelPartText : organizationStrings.cancelText}
      confirmLabel={organizationStrings.confirmCancel}
      cancelLabel={organizationStrings.keepPlan}
      busy={cancelling.isPending}
      busyLabel={organizationStrings.cancelling}
      onConfirm={() => cancelling.mutate()}
    >
      {cancelling.error ? <FormAlert message={messageFor(cancelling.error, organizationStrings.cancelFailed)} /> : null}
    </ConfirmDialog>
  )
}
