import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { chatStrings } from '#/strings/chat.ts'

interface DeleteAllProps {
  readonly disabled: boolean
  readonly onConfirm: () => void
  /** Receives the focus after all messages were deleted. */
  readonly focusAfter: () => HTMLElement | null
}

/** A button that asks for confirmation before all messages are deleted. */
export function DeleteAll({ disabled, onConfirm, focusAfter }: DeleteAllProps) {
  const [isOpen, setOpen] = useState(false)
  const isConfirmed = useRef(false)

  function confirm() {
    isConfirmed.current = true
    setOpen(false)
    onConfirm()
  }

  return (
    <>
      <Button
        size="compact"
        variant="danger-outline"
        disabled={disabled}
        icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
        onClick={() => {
          isConfirmed.current = false
          setOpen(true)
        }}
      >
        {chatStrings.deleteAll}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={chatStrings.deleteAllTitle}
        description={chatStrings.deleteAllQuestion}
        confirmLabel={chatStrings.delete}
        onConfirm={confirm}
        finalFocus={() => (isConfirmed.current ? (focusAfter() ?? true) : true)}
      />
    </>
  )
}
