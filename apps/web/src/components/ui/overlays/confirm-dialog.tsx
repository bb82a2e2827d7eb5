import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { Button } from '../button.tsx'

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** The question in one or two sentences. */
  readonly description: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly onConfirm: () => void
  /** Keeps the dialog open and the confirm button busy. */
  readonly busy?: boolean
  readonly busyLabel?: string
  /** Disables the confirm button while something is missing. */
  readonly disabled?: boolean
  readonly tone?: 'danger' | 'primary'
  /** Element to focus after closing; true (the default) restores the previous focus. */
  readonly finalFocus?: () => HTMLElement | boolean
  /** An error or a field between the question and the buttons. */
  readonly children?: ReactNode
}

/** A confirmation dialog; the initial focus is on the cancel button. The caller closes it when done. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = controlStrings.cancel,
  onConfirm,
  busy = false,
  busyLabel,
  disabled = false,
  tone = 'danger',
  finalFocus,
  children,
}: ConfirmDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  return (
    <AlertFrame
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next)
      }}
      title={title}
      description={description}
      initialFocus={cancelButton}
      finalFocus={finalFocus}
      actions={
        <>
          <AlertDialog.Close render={<Button ref={cancelButton} />}>{cancelLabel}</AlertDialog.Close>
          <Button
            variant={tone}
            busy={busy}
            disabled={disabled}
            {...(busyLabel === undefined ? {} : { busyLabel })}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </AlertFrame>
  )
}

interface NoticeDialogProps {
  readonly open: boolean
  readonly title: string
  readonly description: ReactNode
  readonly buttonLabel?: string
  readonly onClose: () => void
  /** Element to focus after closing; true (the default) restores the previous focus. */
  readonly finalFocus?: () => HTMLElement | boolean
}

/** A notice with a single button. */
export function NoticeDialog({ open, title, description, buttonLabel = 'OK', onClose, finalFocus }: NoticeDialogProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <AlertFrame
      open={open}
      onOpenChange={onClose}
      title={title}
      description={description}
      initialFocus={button}
      finalFocus={finalFocus}
      actions={<AlertDialog.Close render={<Button ref={button} variant="primary" />}>{buttonLabel}</AlertDialog.Close>}
    />
  )
}

interface AlertFrameProps
  extends Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'title' | 'description' | 'children'> {
  readonly actions: ReactNode
  readonly initialFocus: RefObject<HTMLElement | null>
  readonly finalFocus: ConfirmDialogProps['finalFocus'] | undefined
}

/** A modal dialog that a click outside does not close. */
function AlertFrame({ open, onOpenChange, title, description, actions, children, ...focus }: AlertFrameProps) {
  const { initialFocus, finalFocus } = focus
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup
          initialFocus={initialFocus}
          {...(finalFocus === undefined ? {} : { finalFocus })}
          className="dialog-popup md:max-w-dialog"
        >
          <AlertDialog.Title className="heading text-xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm text-ink-2">{description}</AlertDialog.Description>
          {children ? <div className="mt-4">{children}</div> : null}
          <div className="dialog-actions">{actions}</div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
