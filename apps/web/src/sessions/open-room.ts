import { createSubject } from '@sallyport/client/observable'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { readSessionMessage, rootOfFile, type SessionPlace } from '@sallyport/client/sessions/read-session'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { sealSessionMessage } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { createNameBook } from '#/file-views/name-book.ts'
import { checkLength } from '#/messages/check-length.ts'
import { createComposer } from '#/messages/composer.ts'
import { createMessageBook, type MessageAuthor } from '#/messages/message-book.ts'
import { addToMessages, createMessageNews, type MessageNews } from '#/messages/message-news.ts'
import { createMessagePages } from '#/messages/message-pages.ts'
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
  readonly place: SessionPlace
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
  const { entered, place, calls, queries, me, transfers, origin } = parts
  const { downloads } = transfers
  const { session, senderId } = entered
  const { id: sessionId, participant_id: myId } = session
  const { root, earlierRoot } = place
  const queryKey = messagesKey(sessionId)
  const pages = createMessagePages({ queries, queryKey, load: calls.messages })
  const troubles = createTroubles()

  const book = createMessageBook(async (message: RoomMessage) => {
    const { encryptedContent: content, encryptedKey: encrypted_key, authorName: participant_name, authorId } = message
    const read = await readSessionMessage({ content, encrypted_key, participant_name }, place)
    // What is bound to no sender is only the server's word.
    const isMe = read.senderId === null ? authorId !== null && authorId === myId : read.senderId === senderId
    return { text: read.text, sentAt: read.sentAt, author: { name: read.senderName ?? anonymousParticipant, isMe } }
  })

  const composer = createComposer({
    seal(message) {
      const { name } = me()
      const sender = { senderId, senderName: name === anonymousParticipant ? '' : name }
      return sealSessionMessage({ root, sessionId, ...sender, ...checkLength(message) })
    },
    deliver: (sealed) => calls.send(sealed),
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
    news: createMessageNews({ queries, queryKey, listAfter: pages.listAfter }),
    pages,
    listFiles: calls.files,
    ...transfers,
    fileNames: createNameBook(root, 'session', earlierRoot),
    async download({ id, encrypted_file_key: encryptedFileKey, size_bytes }, name) {
      const { participantToken } = entered
      const fileRoot = await rootOfFile(encryptedFileKey, place)
      const source = { kind: 'session', id, root: fileRoot, encryptedFileKey, participantToken } as const
      downloads.start({ source, name, size: size_bytes })
    },
    deleteFile: calls.removeFile,
    linkToFile: (fileId) => `${origin}/share/${fileId}`,
    peopleNames: createPeopleNames(place),
  }
}

/** What somebody in a session is called, until they say otherwise. */
export const createMe = () => createSubject<MessageAuthor>({ name: anonymousParticipant, isMe: true })
