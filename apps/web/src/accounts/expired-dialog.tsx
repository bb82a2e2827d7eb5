import { NoticeDialog } from '#/ui/confirm-dialog.tsx'
import { signInWords } from '#/words/sign-in.ts'

interface ExpiredDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function ExpiredDialog({ open, onClose }: ExpiredDialogProps) {
  return (
    <NoticeDialog
      open={open}
      title={signInWords.expiredTitle}
      description={signInWords.expired}
      onClose={onClose}
      finalFocus={mainOfPage}
    />
  )
}

/** What had the focus went with the sign-in. */
const mainOfPage = (): HTMLElement | boolean => document.getElementById('main') ?? true
