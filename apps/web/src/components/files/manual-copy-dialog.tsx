import { useRef } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { Dialog } from '#/components/ui/overlays/dialog.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { controlStrings } from '#/strings/controls.ts'
import { fileStrings } from '#/strings/files.ts'

interface ManualCopyDialogProps {
  /** Null keeps the dialog closed. */
  readonly link: string | null
  readonly onClose: () => void
}

/** Shows a link to be copied manually, for browsers that deny clipboard access. */
export function ManualCopyDialog({ link, onClose }: ManualCopyDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const toast = useToast()

  function copy() {
    field.current?.focus()
    field.current?.select()
    // The deprecated command needs no permission, so it may succeed where the Clipboard API was denied.
    if (!document.execCommand('copy')) return
    toast({ text: fileStrings.copied, tone: 'seal' })
    onClose()
  }

  return (
    <Dialog
      open={link !== null}
      onOpenChange={onClose}
      title={fileStrings.copyFailed}
      actions={
        <>
          <Button onClick={onClose}>{controlStrings.close}</Button>
          <Button variant="primary" onClick={copy}>
            {controlStrings.copy}
          </Button>
        </>
      }
    >
      <TextField
        ref={field}
        label={fileStrings.manualCopy}
        readOnly
        dir="ltr"
        value={link ?? ''}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}
