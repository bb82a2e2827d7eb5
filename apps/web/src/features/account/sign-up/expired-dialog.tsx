import { NoticeDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { signInStrings } from '#/strings/account/sign-in.ts'

interface ExpiredDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function ExpiredDialog({ open, onClose }: ExpiredDialogProps) {
  return (
    <NoticeDialog
      open={open}
      title={signInStrings.expiredTitle}
      description={signInStrings.expired}
      onClose={onClose}
      finalFocus={mainElement}
    />
  )
}

/** The element that had the focus was unmounted when the auth session ended. */
const mainElement = (): HTMLElement | boolean => document.getElementById('main') ?? true
