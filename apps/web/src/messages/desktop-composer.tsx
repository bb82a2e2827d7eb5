import type { KeyboardEvent } from 'react'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { chatWords } from '#/words/chat.ts'
import type { ComposerProps } from './composer-props.ts'
import { MessageInput } from './message-input.tsx'
import { TroubleLine } from './trouble-line.tsx'
import { useComposer } from './use-composer.ts'

const heights = { least: 72, most: 264 }
const isMac = /mac/i.test(navigator.platform)
const isSendKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === 'Enter' && (ctrlKey || metaKey)

/** A card to write in; Enter is a new line, so that sending takes a second key. */
export function DesktopComposer({ composer, troubles, placeholder }: ComposerProps) {
  const { canSend, send, input } = useComposer(composer)

  return (
    <Card depth="float" padded={false} className="grid gap-3 p-3">
      <MessageInput
        {...input}
        placeholder={placeholder}
        isSendKey={isSendKey}
        onSend={send}
        heights={heights}
        className="rounded-segment px-2.5 py-2 outline-offset-0"
      />
      <TroubleLine troubles={troubles} />
      <div className="flex items-center justify-between gap-4 border-t border-line pt-3 ps-1 pe-1">
        <p className="text-xs text-ink-3">{isMac ? chatWords.sendsOnMac : chatWords.sendsElsewhere}</p>
        <Button variant="primary" disabled={!canSend} onClick={send}>
          {chatWords.send}
        </Button>
      </div>
    </Card>
  )
}
