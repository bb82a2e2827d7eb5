import { billing } from '@sallyport/contract/billing'
import { licenceLimits } from '@sallyport/contract/limits'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmMutationDialog } from '#/components/ui/overlays/confirm-mutation-dialog.tsx'
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

  return (
    <ConfirmMutationDialog
      open={open}
      mutation={cancelling}
      title={subscriptionStrings.cancelTitle}
      description={subscriptionStrings.cancelText(date, trial.storageBytes / gigabyte, trial.days)}
      confirmLabel={subscriptionStrings.confirmCancel}
      cancelLabel={subscriptionStrings.keep}
      busyLabel={subscriptionStrings.cancelling}
      formatError={(error) => messageFor(error, subscriptionStrings.cancelFailed)}
      onClose={onClose}
    />
  )
}
