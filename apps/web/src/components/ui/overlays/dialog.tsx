import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { classNames } from '../class-names.ts'
import { IconButton } from '../icon-button.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Buttons at the bottom, the safe one first. */
  readonly actions?: ReactNode
  /** Element with the initial focus; the first control by default. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** False if only the dialog's own buttons may close it: no ×, no Escape, no click outside. */
  readonly closable?: boolean
  readonly wide?: boolean
  readonly children?: ReactNode
}

/** A modal dialog, a bottom sheet on phones. Traps the focus and restores it on close. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  actions,
  initialFocus,
  closable = true,
  wide = false,
  children,
}: DialogProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (next || closable) onOpenChange(next)
      }}
      disablePointerDismissal={!closable}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup
          initialFocus={initialFocus}
          className={classNames('dialog-popup', wide ? 'md:max-w-[45rem]' : 'md:max-w-dialog')}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="heading text-xl">{title}</Base.Title>
            {closable ? (
              <Base.Close
                render={
                  <IconButton
                    label={controlStrings.close}
                    size="compact"
                    className="close-corner"
                    icon={<X aria-hidden size={18} strokeWidth={1.75} />}
                  />
                }
              />
            ) : null}
          </div>
          {description ? (
            <Base.Description className="mt-1.5 text-sm text-ink-2">{description}</Base.Description>
          ) : null}
          {children ? <div className="mt-4">{children}</div> : null}
          {actions ? <div className="dialog-actions">{actions}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
