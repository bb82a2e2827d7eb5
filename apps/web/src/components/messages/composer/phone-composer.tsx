import { SendHorizontal } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { chatStrings } from '#/strings/chat.ts'
import { ErrorLine } from '../error-line.tsx'
import { MessageInput } from './message-input.tsx'
import { type ComposerProps, useComposer } from './use-composer.ts'
import { useKeyboardInset } from './use-keyboard-inset.ts'

const heights = { min: 44, max: 120 }
const sendsOnEnter = ({ shiftKey }: KeyboardEvent): boolean => !shiftKey

/** The composer on phones, above the on-screen keyboard. */
export function PhoneComposer({ composer, errors, placeholder }: ComposerProps) {
  const { canSend, send, input } = useComposer(composer)
  useKeyboardInset()

  return (
    <div className="grid gap-2 border-t border-line bg-surface px-4 py-2">
      <ErrorLine errors={errors} />
      <div className="flex items-end gap-2">
        <MessageInput
          {...input}
          placeholder={placeholder}
          sendsOnEnter={sendsOnEnter}
          onSend={send}
          heights={heights}
          className="min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-3 py-2.25 outline-offset-0"
        />
        <IconButton
          label={chatStrings.send}
          variant="primary"
          disabled={!canSend}
          icon={<SendHorizontal aria-hidden size={18} strokeWidth={1.75} />}
          onClick={send}
        />
      </div>
    </div>
  )
}
