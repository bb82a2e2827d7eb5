import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { IconButton } from '#/ui/icon-button.tsx'
import { useHeightVariable } from '#/ui/use-height-variable.ts'
import { chatWords } from '#/words/chat.ts'
import type { ComposerProps } from './composer-props.ts'
import { MessageInput } from './message-input.tsx'
import { TroubleLine } from './trouble-line.tsx'
import { useComposer } from './use-composer.ts'
import { useKeyboardInset } from './use-keyboard-inset.ts'

const heights = { least: 44, most: 120 }
const isSendKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === 'Enter' && !shiftKey

/** Stays above the keyboard at the foot of the page. */
export function PhoneComposer({ composer, troubles, placeholder }: ComposerProps) {
  const { canSend, send, input } = useComposer(composer)
  const foot = useRef<HTMLDivElement>(null)
  useKeyboardInset()
  // What passes over the foot of the page, such as a toast, must not cover what is being written.
  useHeightVariable(foot, '--composer')

  return (
    <div ref={foot} className="phone-composer grid gap-2 border-t border-line bg-surface px-4 py-2">
      <TroubleLine troubles={troubles} />
      <div className="flex items-end gap-2">
        <MessageInput
          {...input}
          placeholder={placeholder}
          isSendKey={isSendKey}
          onSend={send}
          heights={heights}
          className="min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-3 py-2.25 outline-offset-0"
        />
        <IconButton
          label={chatWords.send}
          variant="primary"
          disabled={!canSend}
          icon={<SendHorizontal aria-hidden size={18} strokeWidth={1.75} />}
          onClick={send}
        />
      </div>
    </div>
  )
}
