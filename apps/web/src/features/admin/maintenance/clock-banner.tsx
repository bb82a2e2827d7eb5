import { adminMaintenance } from '@sallyport/contract/admin-maintenance'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { adminMaintenanceStrings as strings } from '#/strings/admin/maintenance.ts'
import { formatDateAndTime } from '#/strings/format.ts'
import { statsQuery } from '../admin.queries.ts'
import { useAdminCall } from '../use-admin-call.ts'
import { ChangeDialog } from '../user/change-dialog.tsx'
import type { ReauthGuard } from '../user/use-change.ts'

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
      {shown ? (
        <ChangeDialog
          {...guard}
          open={isOpen}
          onClose={() => setOpen(false)}
          send={async (call) => (await call(adminMaintenance.confirmClock, {})).message}
          failed={strings.clockFailed}
          title={strings.clockQuestion(formatDateAndTime(shown.actual))}
          description={strings.clockConsequence}
          confirmLabel={strings.confirmClock}
          busyLabel={strings.confirming}
          // The button that opened the dialog is gone once the time is confirmed.
          finalFocus={() => (jump ? null : document.getElementById('admin-heading')) ?? true}
        />
      ) : null}
    </>
  )
}
