import { useEffect } from 'react'
import { BottomConversation } from '#/components/messages/conversation-layout.tsx'
import { useConversation } from '#/components/messages/use-conversation.ts'
import { useCopyMessages } from '#/components/messages/use-copy-messages.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { UnlockedSession } from './room/current-session.ts'
import { useCurrentSession } from './sessions-context.ts'

/** The chat of a session, with the newest message at the bottom. */
export function SessionChat({ unlocked }: { readonly unlocked: UnlockedSession }) {
  const me = useObservable(useCurrentSession().me)
  const conversation = useConversation(unlocked, me)
  useMarkRead()
  const { onCopy } = useCopyMessages()
  return (
    <div className="flex flex-1 flex-col max-md:-mx-4">
      <BottomConversation
        conversation={conversation}
        strings={sessionStrings}
        onCopy={onCopy}
        className="pb-2 max-md:px-4"
      />
    </div>
  )
}

/** Marks messages as read while the chat is shown in a visible tab. */
function useMarkRead(): void {
  const { unread } = useCurrentSession()
  useEffect(() => {
    const controller = new AbortController()
    const update = () => unread.setChatVisible(!document.hidden)
    update()
    document.addEventListener('visibilitychange', update, { signal: controller.signal })
    return () => {
      controller.abort()
      unread.setChatVisible(false)
    }
  }, [unread])
}
