import type { KeyboardEvent } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { chatStrings } from '#/strings/chat.ts'
import { ErrorLine } from '../error-line.tsx'
import { MessageInput } from './message-input.tsx'
import { type ComposerProps, useComposer } from './use-composer.ts'

const heights = { min: 72, max: 264 }
const isMac = /mac/i.test(navigator.platform)
const sendsOnEnter = ({ ctrlKey, metaKey }: KeyboardEvent): boolean => ctrlKey || metaKey

/** The composer on desktop. Enter inserts a line break, and Ctrl or Cmd with Enter sends. */
export function DesktopComposer({ composer, errors, placeholder }: ComposerProps) {
  const { canSend, send, input } = useComposer(composer)

  return (
    <Card depth="float" padded={false} className="grid gap-3 p-3">
      <MessageInput
        {...input}
        placeholder={placeholder}
        sendsOnEnter={sendsOnEnter}
        onSend={send}
        heights={heights}
        className="rounded-segment px-2.5 py-2 outline-offset-0"
      />
      <ErrorLine errors={errors} />
      <div className="flex items-center justify-between gap-4 border-t border-line pt-3 ps-1 pe-1">
        <p className="text-xs text-ink-3">{isMac ? chatStrings.sendShortcutMac : chatStrings.sendShortcut}</p>
        <Button variant="primary" disabled={!canSend} onClick={send}>
          {chatStrings.send}
        </Button>
      </div>
    </Card>
  )
}
