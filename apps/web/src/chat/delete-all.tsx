import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { chatWords } from '#/words/chat.ts'

interface DeleteAllProps {
  readonly disabled: boolean
  readonly onConfirm: () => void
  /** Takes the focus once there is nothing left to delete. */
  readonly focusAfter: () => HTMLElement | null
}

/** Asks before every message goes. */
export function DeleteAll({ disabled, onConfirm, focusAfter }: DeleteAllProps) {
  const [isAsking, setAsking] = useState(false)
  const isConfirmed = useRef(false)

  function confirm() {
    isConfirmed.current = true
    setAsking(false)
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
          setAsking(true)
        }}
      >
        {chatWords.deleteAll}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={chatWords.deleteAllTitle}
        description={chatWords.deleteAllQuestion}
        confirmLabel={chatWords.delete}
        onConfirm={confirm}
        finalFocus={() => (isConfirmed.current ? (focusAfter() ?? true) : true)}
      />
    </>
  )
}
