import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** The question, in one sentence or two. */
  readonly description: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly onConfirm: () => void
  /** Keeps the dialog open and the confirming button waiting. */
  readonly busy?: boolean
  readonly busyLabel?: string
  readonly tone?: 'danger' | 'primary'
  /** Where the focus goes afterwards; true, as by default, where it came from. */
  readonly finalFocus?: () => HTMLElement | boolean
  /** An error or a field between the question and the buttons. */
  readonly children?: ReactNode
}

/** A question that must be answered; the focus starts on the safe button. The caller closes it when done. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  busy = false,
  busyLabel,
  tone = 'danger',
  finalFocus,
  children,
}: ConfirmDialogProps) {
  const safeButton = useRef<HTMLButtonElement>(null)

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next)
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup
          initialFocus={safeButton}
          {...(finalFocus === undefined ? {} : { finalFocus })}
          className="dialog-popup md:max-w-dialog"
        >
          <AlertDialog.Title className="heading text-xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm text-ink-2">{description}</AlertDialog.Description>
          {children ? <div className="mt-4">{children}</div> : null}
          <div className="dialog-actions">
            <AlertDialog.Close render={<Button ref={safeButton} />}>{cancelLabel}</AlertDialog.Close>
            <Button variant={tone} busy={busy} {...(busyLabel === undefined ? {} : { busyLabel })} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

interface NoticeDialogProps {
  readonly open: boolean
  readonly title: string
  readonly description: ReactNode
  readonly buttonLabel?: string
  readonly onClose: () => void
  /** Where the focus goes afterwards; true, as by default, where it came from. */
  readonly finalFocus?: () => HTMLElement | boolean
}

/** Something that must be read, with one button. */
export function NoticeDialog({ open, title, description, buttonLabel = 'OK', onClose, finalFocus }: NoticeDialogProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup
          initialFocus={button}
          {...(finalFocus === undefined ? {} : { finalFocus })}
          className="dialog-popup md:max-w-dialog"
        >
          <AlertDialog.Title className="heading text-xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm text-ink-2">{description}</AlertDialog.Description>
          <div className="dialog-actions">
            <AlertDialog.Close render={<Button ref={button} variant="primary" />}>{buttonLabel}</AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
