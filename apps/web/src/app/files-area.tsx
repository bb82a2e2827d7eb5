import { useNavigate } from 'react-router'
import { useChatWork } from '#/chat/chat-context.ts'
import { FilesPage } from '#/files/files-page.tsx'
import { RecoveryOffer } from '#/security/recovery-offer.tsx'
import { addressOf } from './areas.ts'

/** Files, with what an account should be told there once, and the way of a pasted text into the chat. */
export function FilesArea() {
  const { composer } = useChatWork()
  const navigate = useNavigate()

  function putInChat(text: string) {
    const { draft } = composer.current()
    composer.write(draft === '' ? text : `${draft}\n${text}`)
    void navigate(addressOf('chat'))
  }

  return <FilesPage aside={<RecoveryOffer />} onTextToChat={putInChat} />
}
