import { type KeyboardEvent, useMemo, useRef, useSyncExternalStore } from 'react'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { Card } from '#/ui/card.tsx'
import { chatWords } from '#/words/chat.ts'
import { useChatWork } from './chat-context.ts'
import type { ChatFaceProps } from './chat-face.ts'
import { canSend } from './composer.ts'
import { FetchTrouble } from './fetch-trouble.tsx'
import { MessageInput } from './message-input.tsx'
import { MessageList } from './message-list.tsx'
import { TroubleLine } from './trouble-line.tsx'

/** The newest message is on top, next to where it was written. */
export function DesktopChat({ rows, isFailed, retry, onCopy, onDelete, copyAll }: ChatFaceProps) {
  const newestFirst = useMemo(() => rows?.toReversed() ?? null, [rows])
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-5 px-6 py-7">
      <header className="flex items-center justify-between gap-4">
        <div className="flex items-center gap-3">
          <h1 className="heading-large text-3xl">{chatWords.title}</h1>
          <Badge tone="seal">{chatWords.sealed}</Badge>
        </div>
        <Button size="compact" disabled={!rows?.length} onClick={() => copyAll(rows ?? [])}>
          {chatWords.copyAll}
        </Button>
      </header>
      <DesktopComposer />
      {isFailed ? (
        <FetchTrouble onRetry={retry} />
      ) : (
        <MessageList rows={newestFirst} onCopy={onCopy} onDelete={onDelete} />
      )}
    </div>
  )
}

const heights = { least: 72, most: 264 }
const isMac = /mac/i.test(navigator.platform)
const isSendKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === 'Enter' && (ctrlKey || metaKey)

function DesktopComposer() {
  const { composer } = useChatWork()
  const state = useSyncExternalStore(composer.subscribe, composer.current)
  const input = useRef<HTMLTextAreaElement>(null)

  function send() {
    input.current?.focus()
    void composer.send()
  }

  return (
    <Card depth="float" padded={false} className="grid gap-3 p-3">
      <MessageInput
        ref={input}
        value={state.draft}
        onChange={composer.write}
        isSendKey={isSendKey}
        onSend={send}
        heights={heights}
        className="rounded-segment px-2.5 py-2 outline-offset-0"
      />
      <TroubleLine />
      <div className="flex items-center justify-between gap-4 border-t border-line pt-3 ps-1 pe-1">
        <p className="text-xs text-ink-3">{isMac ? chatWords.sendsOnMac : chatWords.sendsElsewhere}</p>
        <Button variant="primary" disabled={!canSend(state)} onClick={send}>
          {chatWords.send}
        </Button>
      </div>
    </Card>
  )
}
