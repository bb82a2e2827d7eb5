import { Copy, SendHorizontal, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useSyncExternalStore } from 'react'
import { Button } from '#/ui/button.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { chatWords } from '#/words/chat.ts'
import { useChatWork } from './chat-context.ts'
import type { ChatFaceProps } from './chat-face.ts'
import { canSend } from './composer.ts'
import { FetchTrouble } from './fetch-trouble.tsx'
import { MessageInput } from './message-input.tsx'
import { MessageList } from './message-list.tsx'
import { TroubleLine } from './trouble-line.tsx'
import { useKeyboardInset } from './use-keyboard-inset.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'

/** The newest message is at the bottom, next to where it was written. */
export function PhoneChat({ rows, isFailed, retry, onCopy, onDelete, copyAll, deleteAll }: ChatFaceProps) {
  const list = useStayAtEnd(rows)
  const hasRows = rows !== null && rows.length > 0
  return (
    <div className="phone-chat flex flex-col">
      <header className="sticky top-14 z-10 flex items-center justify-between gap-2 bg-bg px-4 py-2">
        <h1 className="heading-large text-2xl">{chatWords.title}</h1>
        <div className="flex gap-2">
          <Button
            size="compact"
            disabled={!hasRows}
            icon={<Copy aria-hidden size={16} strokeWidth={1.75} />}
            onClick={() => copyAll(rows ?? [])}
          >
            {chatWords.copyAll}
          </Button>
          <Button
            size="compact"
            variant="danger-outline"
            disabled={!hasRows}
            icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
            onClick={deleteAll}
          >
            {chatWords.deleteAll}
          </Button>
        </div>
      </header>
      <div ref={list} className="flex flex-1 flex-col justify-end px-4 py-2">
        {isFailed ? <FetchTrouble onRetry={retry} /> : <MessageList rows={rows} onCopy={onCopy} onDelete={onDelete} />}
      </div>
      <PhoneComposer />
    </div>
  )
}

const heights = { least: 44, most: 120 }
const isSendKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === 'Enter' && !shiftKey

function PhoneComposer() {
  const { composer } = useChatWork()
  const state = useSyncExternalStore(composer.subscribe, composer.current)
  const input = useRef<HTMLTextAreaElement>(null)
  useKeyboardInset()

  function send() {
    input.current?.focus()
    void composer.send()
  }

  return (
    <div className="phone-composer grid gap-2 border-t border-line bg-surface px-4 py-2">
      <TroubleLine />
      <div className="flex items-end gap-2">
        <MessageInput
          ref={input}
          value={state.draft}
          onChange={composer.write}
          isSendKey={isSendKey}
          onSend={send}
          heights={heights}
          className="min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-3 py-2.25 outline-offset-0"
        />
        <IconButton
          label={chatWords.send}
          variant="primary"
          disabled={!canSend(state)}
          icon={<SendHorizontal aria-hidden size={18} strokeWidth={1.75} />}
          onClick={send}
        />
      </div>
    </div>
  )
}
