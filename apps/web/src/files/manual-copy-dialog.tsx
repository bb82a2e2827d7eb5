import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { fileWords } from '#/words/files.ts'

interface ManualCopyDialogProps {
  /** Null keeps the dialog shut. */
  readonly link: string | null
  readonly onClose: () => void
}

/** For browsers that keep the page from the clipboard: the link, ready to be copied by hand. */
export function ManualCopyDialog({ link, onClose }: ManualCopyDialogProps) {
  return (
    <Dialog
      open={link !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={fileWords.copyFailed}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <TextField
        label={fileWords.copyByHand}
        readOnly
        dir="ltr"
        value={link ?? ''}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}
