import { useState } from 'react'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { fileStrings } from '#/strings/files.ts'

type DeleteTarget = { readonly name: string } | 'all'

interface DeleteDialogProps {
  /** What is about to be deleted; null keeps the dialog closed. */
  readonly target: DeleteTarget | null
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Returns the element that receives the focus afterwards; by default the one that had it before. */
  readonly finalFocus?: () => HTMLElement | boolean
}

export function DeleteDialog({ target, onConfirm, onCancel, finalFocus }: DeleteDialogProps) {
  const isPhone = useIsPhone()
  const shownTarget = useLastTarget(target)
  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={onCancel}
      title={isPhone ? `${fileStrings.deleteTitle}?` : fileStrings.deleteTitle}
      description={
        shownTarget === null || shownTarget === 'all' ? (
          fileStrings.deleteAllQuestion
        ) : (
          <AboutFile shownName={visibleFileName(shownTarget.name)} />
        )
      }
      confirmLabel={fileStrings.delete}
      onConfirm={onConfirm}
      {...(finalFocus === undefined ? {} : { finalFocus })}
    />
  )
}

function AboutFile({ shownName }: { readonly shownName: string }) {
  return (
    <>
      <span>{fileStrings.deleteQuestion}</span>
      <bdi className="mt-2.5 block font-semibold text-ink wrap-anywhere">{shownName}</bdi>
    </>
  )
}

/** Keeps the last target so that the text stays while the dialog fades out. */
function useLastTarget(target: DeleteTarget | null): DeleteTarget | null {
  const [last, setLast] = useState(target)
  if (target !== null && nameOf(target) !== nameOf(last)) setLast(target)
  return target ?? last
}

const nameOf = (target: DeleteTarget | null): string | null =>
  target === null || target === 'all' ? target : target.name
