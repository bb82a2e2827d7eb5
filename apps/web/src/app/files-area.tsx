import { useNavigate } from 'react-router'
import { RecoveryOffer } from '#/features/account/security/recovery-offer.tsx'
import { useChat } from '#/features/chat/chat-context.ts'
import { FilesPage } from '#/features/files/files-page.tsx'
import { areaPath } from './layout/areas.ts'

/** The files page with the recovery key suggestion, and a handler that sends pasted text to the chat. */
export function FilesArea() {
  const { composer } = useChat()
  const navigate = useNavigate()

  function appendToDraft(text: string) {
    const { draft } = composer.current()
    composer.setDraft(draft === '' ? text : `${draft}\n${text}`)
    void navigate(areaPath('chat'))
  }

  return <FilesPage aside={<RecoveryOffer />} onTextToChat={appendToDraft} />
}
