import { useMemo } from 'react'
import { DesktopComposer } from '#/messages/desktop-composer.tsx'
import { MessageList } from '#/messages/message-list.tsx'
import { OlderMessages } from '#/messages/older-messages.tsx'
import { Badge } from '#/ui/badge.tsx'
import { Button } from '#/ui/button.tsx'
import { chatWords } from '#/words/chat.ts'
import { useChatWork } from './chat-context.ts'
import type { ChatFaceProps } from './chat-face.ts'
import { FetchTrouble } from './fetch-trouble.tsx'

/** The newest message is on top, next to where it was written. */
export function DesktopChat({ rows, isAllOpen, isFailed, retry, onCopy, onDelete, copyAll }: ChatFaceProps) {
  const { composer, troubles, pages } = useChatWork()
  const newestFirst = useMemo(() => rows?.toReversed() ?? null, [rows])
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-5 px-6 py-7">
      <header className="flex items-center justify-between gap-4">
        <div className="flex items-center gap-3">
          <h1 className="heading-large text-3xl">{chatWords.title}</h1>
          <Badge tone="seal">{chatWords.sealed}</Badge>
        </div>
        <Button size="compact" disabled={!rows?.length} onClick={copyAll}>
          {chatWords.copyAll}
        </Button>
      </header>
      <DesktopComposer composer={composer} troubles={troubles} placeholder={chatWords.placeholder} />
      {isFailed ? (
        <FetchTrouble onRetry={retry} />
      ) : (
        <div>
          <MessageList texts={chatWords} rows={newestFirst} onCopy={onCopy} onDelete={onDelete} />
          <OlderMessages pages={pages} isReady={isAllOpen} />
        </div>
      )}
    </div>
  )
}
