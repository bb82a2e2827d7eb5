import { adminMaintenance } from '@sallyport/contract/admin-maintenance'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { adminMaintenanceStrings as strings } from '#/strings/admin/maintenance.ts'
import { formatDateAndTime } from '#/strings/format.ts'
import { type Stats, statsQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { changeErrorMessage, type ReauthGuard, useChange } from '../user/use-change.ts'

/** Says on every tab that the server's clock may be wrong, so that nothing is deleted. */
export function ClockBanner(guard: ReauthGuard) {
  const { data } = useQuery(statsQuery(useAdminCall()))
  const [isOpen, setOpen] = useState(false)
  const jump = data?.clock_jump ?? null
  const shown = useLastShown(jump)
  return (
    <>
      {jump ? (
        <Banner
          tone="rust"
          urgent
          className="mb-4"
          actions={
            <Button size="compact" onClick={() => setOpen(true)}>
              {strings.confirmClock}
            </Button>
          }
        >
          {strings.clockJump(formatDateAndTime(jump.actual), formatDateAndTime(jump.expected))}
        </Banner>
      ) : null}
      {shown ? <ConfirmTimeDialog {...guard} jump={shown} open={isOpen} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface ConfirmTimeDialogProps extends ReauthGuard {
  readonly jump: NonNullable<Stats['clock_jump']>
  readonly open: boolean
  readonly onClose: () => void
}

function ConfirmTimeDialog({ jump, open, onClose, guard, reauthDialog }: ConfirmTimeDialogProps) {
  const change = useChange({
    guard,
    send: async (call) => (await call(adminMaintenance.confirmClock, {})).message,
    onDone: onClose,
  })

  function close() {
    change.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={strings.clockQuestion(formatDateAndTime(jump.actual))}
      description={strings.clockConsequence}
      confirmLabel={strings.confirmClock}
      busy={change.isPending}
      busyLabel={strings.confirming}
      onConfirm={() => change.mutate()}
      // The button that opened the dialog is gone once the time is confirmed.
      finalFocus={() => (change.isSuccess ? document.getElementById('admin-heading') : null) ?? true}
    >
      {change.error ? <FormAlert message={changeErrorMessage(change.error, strings.clockFailed)} /> : null}
      {open ? reauthDialog : null}
    </ConfirmDialog>
  )
}
