import { createSubject } from '@sallyport/client/observable'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { openParticipantName, sealParticipantName } from '@sallyport/client/sessions/read-session'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { openMessage, type Root, sealMessage } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { createNameBook } from '#/file-views/name-book.ts'
import { checkLength } from '#/messages/check-length.ts'
import { createComposer } from '#/messages/composer.ts'
import { createMessageBook, type MessageAuthor } from '#/messages/message-book.ts'
import { addToMessages, createMessageNews, type MessageNews } from '#/messages/message-news.ts'
import { createTroubles } from '#/messages/troubles.ts'
import { createPeopleNames, type PeopleNames } from './people-names.ts'
import type { OpenRoom } from './room.ts'
import type { RoomCalls } from './room-calls.ts'
import type { RoomMessage } from './room-message.ts'
import type { RoomTransfers } from './room-transfers.ts'
import { messagesKey } from './session.queries.ts'
import { troubleOfSending } from './troubles.ts'

interface Parts {
  readonly entered: Entered
  readonly root: Root
  readonly calls: RoomCalls
  readonly queries: QueryClient
  readonly me: () => MessageAuthor
  readonly transfers: RoomTransfers
  readonly origin: string
}

export interface OpenedRoom extends OpenRoom, RoomTransfers {
  readonly news: MessageNews
  readonly peopleNames: PeopleNames
}

/** Chat and files of a session whose key is at hand. */
export function openRoomWith(parts: Parts): OpenedRoom {
  const { entered, root, calls, queries, me, transfers, origin } = parts
  const { downloads } = transfers
  const { id: sessionId, participant_id: myId } = entered.session
  const place = { root, sessionId }
  const queryKey = messagesKey(sessionId)
  const troubles = createTroubles()

  const book = createMessageBook(async (message: RoomMessage) => {
    const { encryptedContent, encryptedKey, authorName, authorId } = message
    const sealed = { root, kind: 'session', contextId: sessionId, encryptedContent, encryptedKey } as const
    const [opened, name] = await Promise.all([openMessage(sealed), openParticipantName(authorName, place)])
    return { ...opened, author: { name: name ?? anonymousParticipant, isMe: authorId !== null && authorId === myId } }
  })

  const composer = createComposer({
    seal: (message) => sealMessage({ root, kind: 'session', contextId: sessionId, ...checkLength(message) }),
    async deliver(sealed) {
      const { name } = me()
      const isNamed = name !== anonymousParticipant
      return calls.send(sealed, isNamed ? await sealParticipantName(name, place, Date.now()) : null)
    },
    onDelivered(message, opened) {
      book.enter(message.id, { ...opened, author: me() })
      queries.setQueryData<readonly RoomMessage[]>(queryKey, (listed) => addToMessages(listed, [message]))
    },
    onFailure: (error) => troubles.tell(troubleOfSending(error)),
    now: () => Date.now(),
  })

  return {
    composer,
    book,
    troubles,
    news: createMessageNews({ queries, queryKey, listAfter: calls.messages }),
    listMessages: () => calls.messages(),
    listFiles: calls.files,
    ...transfers,
    fileNames: createNameBook(root, 'session'),
    download({ id, encrypted_file_key, size_bytes }, name) {
      const { participantToken } = entered
      const source = { kind: 'session', id, root, encryptedFileKey: encrypted_file_key, participantToken } as const
      downloads.start({ source, name, size: size_bytes })
    },
    deleteFile: calls.removeFile,
    linkToFile: (fileId) => `${origin}/share/${fileId}`,
    peopleNames: createPeopleNames(place),
  }
}

/** What somebody in a session is called, until they say otherwise. */
export const createMe = () => createSubject<MessageAuthor>({ name: anonymousParticipant, isMe: true })
