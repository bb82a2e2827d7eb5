import { useRef } from 'react'
import { Button } from '#/ui/button.tsx'
import { Dialog } from '#/ui/dialog.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'

interface ManualCopyDialogProps {
  /** Null keeps the dialog shut. */
  readonly link: string | null
  readonly onClose: () => void
}

/** For browsers that keep the page from the clipboard: the link, ready to be copied by hand. */
export function ManualCopyDialog({ link, onClose }: ManualCopyDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const toast = useToast()

  function copy() {
    field.current?.focus()
    field.current?.select()
    // The old way asks no permission, so it may work where the new one was refused.
    if (!document.execCommand('copy')) return
    toast({ text: fileWords.copied, tone: 'seal' })
    onClose()
  }

  return (
    <Dialog
      open={link !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={fileWords.copyFailed}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={copy}>
            Copy
          </Button>
        </>
      }
    >
      <TextField
        ref={field}
        label={fileWords.copyByHand}
        readOnly
        dir="ltr"
        value={link ?? ''}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}
