import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { DesktopComposer } from '#/messages/desktop-composer.tsx'
import { MessageList } from '#/messages/message-list.tsx'
import { OlderMessages } from '#/messages/older-messages.tsx'
import { PhoneComposer } from '#/messages/phone-composer.tsx'
import type { MessageRow } from '#/messages/rows.ts'
import { useCopyMessages } from '#/messages/use-copy-messages.ts'
import { useRows } from '#/messages/use-rows.ts'
import { useScrollAnchor } from '#/messages/use-scroll-anchor.ts'
import { useStayAtEnd } from '#/messages/use-stay-at-end.ts'
import { RetryBanner } from '#/ui/retry-banner.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { sessionWords } from '#/words/sessions.ts'
import type { OpenRoom } from './room.ts'
import { useRoom } from './sessions-context.ts'

interface SessionChatProps {
  readonly opened: OpenRoom
}

/** What everybody in the session says; as in one's own chat, the newest is beside the box to write in. */
export function SessionChat({ opened }: SessionChatProps) {
  const room = useRoom()
  const me = useSyncExternalStore(room.me.subscribe, room.me.current)
  const { book, composer, troubles, pages } = opened
  const { data: listed, isError, refetch } = useQuery(pages.query)
  const { rows, isAllOpen } = useRows({ listed, book, composer, me })
  const isPhone = useIsPhone()
  const isFailed = isError && !listed
  const Face = isPhone ? PhoneFace : DesktopFace
  const writing = { composer, troubles, placeholder: sessionWords.placeholder }
  const older = <OlderMessages pages={pages} isReady={isAllOpen} />
  return <Face rows={rows} older={older} isFailed={isFailed} retry={() => void refetch()} writing={writing} />
}

interface FaceProps {
  readonly rows: readonly MessageRow[] | null
  readonly older: ReactNode
  readonly isFailed: boolean
  readonly retry: () => void
  readonly writing: Parameters<typeof DesktopComposer>[0]
}

function DesktopFace({ rows, older, isFailed, retry, writing }: FaceProps) {
  const { onCopy } = useCopyMessages()
  const newestFirst = useMemo(() => rows?.toReversed() ?? null, [rows])
  return (
    <div className="grid grid-cols-1 gap-5">
      <DesktopComposer {...writing} />
      {isFailed ? (
        <FetchTrouble onRetry={retry} />
      ) : (
        <div>
          <MessageList texts={sessionWords} rows={newestFirst} onCopy={onCopy} />
          {older}
        </div>
      )}
    </div>
  )
}

function PhoneFace({ rows, older, isFailed, retry, writing }: FaceProps) {
  const { onCopy } = useCopyMessages()
  const list = useStayAtEnd(rows)
  useScrollAnchor(list, rows?.[0]?.key)
  return (
    <div className="-mx-4 flex flex-1 flex-col">
      <div ref={list} className="flex flex-1 flex-col justify-end px-4 pb-2">
        {isFailed ? (
          <FetchTrouble onRetry={retry} />
        ) : (
          <>
            {older}
            <MessageList texts={sessionWords} rows={rows} onCopy={onCopy} />
          </>
        )}
      </div>
      <PhoneComposer {...writing} />
    </div>
  )
}

function FetchTrouble({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <RetryBanner label={sessionWords.retry} onRetry={onRetry}>
      {sessionWords.fetchFailed}
    </RetryBanner>
  )
}
