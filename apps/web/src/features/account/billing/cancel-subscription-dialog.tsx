import { billing } from '@sallyport/contract/billing'
import { licenceLimits } from '@sallyport/contract/limits'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { subscriptionKey, userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { messageFor } from '#/strings/errors/message-for.ts'

const gigabyte = 1024 ** 3
const { trial } = licenceLimits

interface CancelSubscriptionDialogProps {
  readonly open: boolean
  /** When the plan would end. */
  readonly date: string
  readonly onClose: () => void
  readonly onCancelled: () => void
}

export function CancelSubscriptionDialog({ open, date, onClose, onCancelled }: CancelSubscriptionDialogProps) {
  const call = useCall()
  const queries = useQueryClient()
  const cancelling = useMutation({
    mutationFn: () => call(billing.cancelSubscription, {}),
    networkMode: 'always',
    onSuccess() {
      onCancelled()
      onClose()
    },
    // After a lost answer, too: the card shows what the server has.
    onSettled() {
      void queries.invalidateQueries({ queryKey: subscriptionKey })
      void queries.invalidateQueries({ queryKey: userInfoQuery(call).queryKey })
    },
  })

  function close() {
    cancelling.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={subscriptionStrings.cancelTitle}
      description={subscriptionStrings.cancelText(date, trial.storageBytes / gigabyte, trial.days)}
      confirmLabel={subscriptionStrings.confirmCancel}
      cancelLabel={subscriptionStrings.keep}
      busy={cancelling.isPending}
      busyLabel={subscriptionStrings.cancelling}
      onConfirm={() => cancelling.mutate()}
    >
      {cancelling.error ? <FormAlert message={messageFor(cancelling.error, subscriptionStrings.cancelFailed)} /> : null}
    </ConfirmDialog>
  )
}
