import type { useConversation } from './use-conversation.ts'
import type { useMessageActions } from './use-message-actions.ts'

/** What both faces of the chat are given. */
export type ChatFaceProps = ReturnType<typeof useConversation> & ReturnType<typeof useMessageActions>
