import { Copy } from 'lucide-react'
import { MessageList } from '#/messages/message-list.tsx'
import { OlderMessages } from '#/messages/older-messages.tsx'
import { PhoneComposer } from '#/messages/phone-composer.tsx'
import { useScrollAnchor } from '#/messages/use-scroll-anchor.ts'
import { useStayAtEnd } from '#/messages/use-stay-at-end.ts'
import { Button } from '#/ui/button.tsx'
import { chatWords } from '#/words/chat.ts'
import { useChatWork } from './chat-context.ts'
import type { ChatFaceProps } from './chat-face.ts'
import { DeleteAll } from './delete-all.tsx'
import { FetchTrouble } from './fetch-trouble.tsx'

/** The newest message is at the bottom, next to where it was written. */
export function PhoneChat(face: ChatFaceProps) {
  const { rows, isAllOpen, isFailed, retry, onCopy, onDelete, copyAll, deleteAll } = face
  const { composer, troubles, pages } = useChatWork()
  const list = useStayAtEnd(rows)
  useScrollAnchor(list, rows?.[0]?.key)
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
            onClick={copyAll}
          >
            {chatWords.copyAll}
          </Button>
          <DeleteAll disabled={!hasRows} onConfirm={deleteAll} focusAfter={() => list.current} />
        </div>
      </header>
      <div ref={list} tabIndex={-1} className="flex flex-1 flex-col justify-end px-4 py-2 outline-none">
        {isFailed ? (
          <FetchTrouble onRetry={retry} />
        ) : (
          <>
            <OlderMessages pages={pages} isReady={isAllOpen} />
            <MessageList texts={chatWords} rows={rows} onCopy={onCopy} onDelete={onDelete} />
          </>
        )}
      </div>
      <PhoneComposer composer={composer} troubles={troubles} placeholder={chatWords.placeholder} />
    </div>
  )
}
