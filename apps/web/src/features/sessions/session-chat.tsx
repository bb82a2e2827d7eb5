import { DesktopConversation, PhoneConversation } from '#/components/messages/conversation-layout.tsx'
import { useConversation } from '#/components/messages/use-conversation.ts'
import { useCopyMessages } from '#/components/messages/use-copy-messages.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import type { UnlockedSession } from './room/current-session.ts'
import { useCurrentSession } from './sessions-context.ts'

/** The chat of a session. As in the personal chat, the newest message is next to the composer. */
export function SessionChat({ unlocked }: { readonly unlocked: UnlockedSession }) {
  const me = useObservable(useCurrentSession().me)
  const conversation = useConversation(unlocked, me)
  const { onCopy } = useCopyMessages()
  const props = { conversation, strings: sessionStrings, onCopy }
  return useIsPhone() ? (
    <div className="-mx-4 flex flex-1 flex-col">
      <PhoneConversation {...props} className="px-4 pb-2" />
    </div>
  ) : (
    <div className="grid grid-cols-1 gap-5">
      <DesktopConversation {...props} />
    </div>
  )
}
