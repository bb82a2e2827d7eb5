import { useState } from 'react'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { fileWords } from '#/words/files.ts'

type DeleteTarget = { readonly name: string } | 'all'

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
      description={asked === null || asked === 'all' ? fileWords.deleteAllQuestion : <AboutFile name={asked.name} />}
      confirmLabel="Delete"
      onConfirm={onConfirm}
      {...(finalFocus === undefined ? {} : { finalFocus })}
    />
  )
}

function AboutFile({ name }: { readonly name: string }) {
  return (
    <>
      <span>{fileWords.deleteQuestion}</span>
      <bdi className="mt-2.5 line-clamp-2 font-semibold text-ink wrap-anywhere">{name}</bdi>
    </>
  )
}

/** The question must not change its words while the dialog fades. */
function useLastTarget(target: DeleteTarget | null): DeleteTarget | null {
  const [last, setLast] = useState(target)
  if (target !== null && nameOf(target) !== nameOf(last)) setLast(target)
  return target ?? last
}

const nameOf = (target: DeleteTarget | null): string | null =>
  target === null || target === 'all' ? target : target.name
