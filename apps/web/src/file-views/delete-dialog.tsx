import { useState } from 'react'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { fileWords } from '#/words/files.ts'

type DeleteTarget = 'file' | 'all'

interface DeleteDialogProps {
  /** What is about to go; null keeps the dialog shut. */
  readonly target: DeleteTarget | null
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Where the focus goes afterwards; true, as by default, where it came from. */
  readonly finalFocus?: () => HTMLElement | boolean
}

export function DeleteDialog({ target, onConfirm, onCancel, finalFocus }: DeleteDialogProps) {
  const isPhone = useIsPhone()
  const asked = useLastTarget(target)
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={(open) => {
        if (!open) onCancel()
      }}
      title={isPhone ? `${fileWords.deleteTitle}?` : fileWords.deleteTitle}
      description={asked === 'all' ? fileWords.deleteAllQuestion : fileWords.deleteQuestion}
      confirmLabel="Delete"
      onConfirm={onConfirm}
      {...(finalFocus === undefined ? {} : { finalFocus })}
    />
  )
}

/** The question must not change its words while the dialog fades. */
function useLastTarget(target: DeleteTarget | null): DeleteTarget | null {
  const [last, setLast] = useState(target)
  if (target !== null && target !== last) setLast(target)
  return target ?? last
}
