import { useIsPhone } from '#/ui/use-is-phone.ts'
import { useTitle } from '#/ui/use-title.ts'
import { chatWords } from '#/words/chat.ts'
import { productName } from '#/words/product.ts'
import { DesktopChat } from './desktop-chat.tsx'
import { PhoneChat } from './phone-chat.tsx'
import { useConversation } from './use-conversation.ts'
import { useMessageActions } from './use-message-actions.ts'

/** The messages somebody leaves for themselves, on whichever device. */
export function ChatPage() {
  useTitle(`${chatWords.title} · ${productName}`)
  const conversation = useConversation()
  const actions = useMessageActions()
  const Face = useIsPhone() ? PhoneChat : DesktopChat
  return <Face {...conversation} {...actions} />
}
