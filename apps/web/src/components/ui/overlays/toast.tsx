import { Toast as Base } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useCallback } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { IconButton } from '../icon-button.tsx'

type ToastTone = 'neutral' | 'seal' | 'rust'

interface ToastMessage {
  readonly text: string
  readonly tone?: ToastTone
  /** Milliseconds on screen, 5000 by default; 0 shows it until dismissed. Hover and focus pause the timer. */
  readonly duration?: number
  /** Announced assertively instead of politely. */
  readonly urgent?: boolean
  readonly action?: { readonly label: string; readonly onPress: () => void }
  /** A toast with the same key is replaced in place. */
  readonly key?: string
}

const defaultDurationMs = 5000

export type ShowToast = (message: ToastMessage | string) => void

/** Returns the function that shows a toast. Works anywhere below `UiProvider`. */
export function useToast(): ShowToast {
  const { add } = Base.useToastManager()

  return useCallback(
    (message) => {
      const {
        text,
        tone = 'neutral',
        duration,
        urgent,
        action,
        key,
      } = typeof message === 'string' ? ({ text: message } as ToastMessage) : message
      add({
        title: text,
        type: tone,
        priority: urgent ? 'high' : 'low',
        ...(key === undefined ? {} : { id: key }),
        // Always set: a replacement would otherwise inherit the timeout of the replaced toast.
        timeout: duration ?? defaultDurationMs,
        ...(action ? { actionProps: { children: action.label, onClick: action.onPress } } : {}),
      })
    },
    [add],
  )
}

/** By default a toast is a dialog, and hidden from screen readers until it is focused, although it can be focused. */
const notADialog = { role: 'group', 'aria-modal': undefined, 'aria-hidden': false }

/** The region where toasts appear; rendered once by `UiProvider`. */
export function ToastViewport() {
  const { toasts } = Base.useToastManager()
  return (
    <Base.Portal>
      <Base.Viewport aria-label={controlStrings.notifications} className="toast-viewport">
        {toasts.map((toast) => (
          <Base.Root
            key={toast.id}
            toast={toast}
            {...notADialog}
            className={classNames('toast', tones[toast.type ?? 'neutral'])}
          >
            <Base.Content className="flex items-center gap-2">
              <Base.Title render={<p />} className="min-w-0 flex-1 py-1.5 text-sm font-medium wrap-anywhere" />
              {toast.actionProps ? <Base.Action render={<Button size="compact" />} /> : null}
              <Base.Close
                aria-hidden={false}
                render={
                  <IconButton
                    label={controlStrings.dismiss}
                    size="compact"
                    icon={<X aria-hidden size={18} strokeWidth={1.75} />}
                  />
                }
              />
            </Base.Content>
          </Base.Root>
        ))}
      </Base.Viewport>
    </Base.Portal>
  )
}

const tones: Record<string, string> = { neutral: '', seal: 'toast-seal', rust: 'toast-rust' }
