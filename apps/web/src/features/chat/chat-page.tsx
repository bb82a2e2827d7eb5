import { Copy } from 'lucide-react'
import { BottomConversation, DesktopConversation } from '#/components/messages/conversation-layout.tsx'
import { useConversation } from '#/components/messages/use-conversation.ts'
import { Badge } from '#/components/ui/badge.tsx'
import { Button } from '#/components/ui/button.tsx'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { chatStrings } from '#/strings/chat.ts'
import { productName } from '#/strings/product.ts'
import { useChat } from './chat-context.ts'
import { DeleteAll } from './delete-all.tsx'
import { useMessageActions } from './use-message-actions.ts'

/** The messages that a user leaves for themselves, on all of their devices. */
export function ChatPage() {
  useTitle(`${chatStrings.title} · ${productName}`)
  const conversation = useConversation(useChat())
  const { copyAll, deleteAll, ...actions } = useMessageActions()
  const isEmpty = !conversation.rows?.length
  if (useIsPhone()) {
    return (
      <div className="phone-chat flex flex-col">
        <BottomConversation
          conversation={conversation}
          strings={{ ...chatStrings, fetchFailed: chatStrings.phoneError(chatStrings.fetchFailed) }}
          className="px-4 py-2"
          header={(list) => (
            <header className="sticky top-14 z-10 flex items-center justify-between gap-2 bg-bg px-4 py-2">
              <h1 className="heading-large text-2xl">{chatStrings.title}</h1>
              <div className="flex gap-2">
                <Button
                  size="compact"
                  disabled={isEmpty}
                  icon={<Copy aria-hidden size={16} strokeWidth={1.75} />}
                  onClick={copyAll}
                >
                  {chatStrings.copyAll}
                </Button>
                <DeleteAll disabled={isEmpty} onConfirm={deleteAll} focusAfter={() => list.current} />
              </div>
            </header>
          )}
          {...actions}
        />
      </div>
    )
  }
  return (
    <div className="mx-auto grid max-w-reading grid-cols-1 gap-5 px-6 py-7">
      <header className="flex items-center justify-between gap-4">
        <div className="flex items-center gap-3">
          <h1 className="heading-large text-3xl">{chatStrings.title}</h1>
          <Badge tone="seal">{chatStrings.encrypted}</Badge>
        </div>
        <Button size="compact" disabled={isEmpty} onClick={copyAll}>
          {chatStrings.copyAll}
        </Button>
      </header>
      <DesktopConversation conversation={conversation} strings={chatStrings} {...actions} />
    </div>
  )
}
