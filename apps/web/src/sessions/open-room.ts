import { createSubject } from '@sallyport/client/observable'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { rootOfFile, type SessionKeys } from '@sallyport/client/sessions/follow-session-keys'
import { readSessionMessage } from '@sallyport/client/sessions/read-session'
import { anonymousParticipant } from '@sallyport/contract/session-shapes'
import { sealSessionMessage } from '@sallyport/crypto'
import { parseMessageKey } from '@sallyport/crypto/envelope'
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
  readonly keys: SessionKeys
  readonly calls: RoomCalls
  readonly queries: QueryClient
  readonly me: () => MessageAuthor
  readonly transfers: RoomTransfers
  readonly origin: string
}

export interface OpenedRoom extends OpenRoom, RoomTransfers {
  readonly keys: SessionKeys
  readonly news: MessageNews
  readonly peopleNames: PeopleNames
}

/** Chat and files of a session whose key is at hand. */
export function openRoomWith(parts: Parts): OpenedRoom {
  const { entered, keys, calls, queries, me, transfers, origin } = parts
  const { downloads } = transfers
  const { session, senderId } = entered
  const { id: sessionId, participant_id: myId } = session
  const findRoot = (envelope: string) => rootOfFile(keys, envelope)
  const queryKey = messagesKey(sessionId)
  const pages = createMessagePages({ queries, queryKey, load: calls.messages })
  const troubles = createTroubles()

  const book = createMessageBook(async (message: RoomMessage) => {
    const { encryptedContent: content, encryptedKey: encrypted_key, authorName: participant_name, authorId } = message
    const place = await keys.knowing(parseMessageKey(encrypted_key).keyId)
    const read = await readSessionMessage({ content, encrypted_key, participant_name }, place)
    // Every member can copy a sender's id from a message, and the server names the author: only both together are this person.
    const isMe = read.senderId === senderId && authorId !== null && authorId === myId
    return { text: read.text, sentAt: read.sentAt, author: { name: read.senderName ?? anonymousParticipant, isMe } }
  })

  const composer = createComposer({
    seal(message) {
      const { name } = me()
      const sender = { senderId, senderName: name === anonymousParticipant ? '' : name }
      const { root } = keys.current()
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
    keys,
    composer,
    book,
    troubles,
    news: createMessageNews({ queries, queryKey, pages }),
    pages,
    listFiles: calls.files,
    ...transfers,
    fileNames: createNameBook(findRoot, 'session'),
    async download({ id, encrypted_file_key: encryptedFileKey, size_bytes }, name) {
      const { participantToken } = entered
      const root = await findRoot(encryptedFileKey)
      const source = { kind: 'session', id, root, encryptedFileKey, participantToken } as const
      downloads.start({ source, name, size: size_bytes })
    },
    deleteFile: calls.removeFile,
    linkToFile: (fileId) => `${origin}/share/${fileId}`,
    peopleNames: createPeopleNames(keys),
  }
}

/** What somebody in a session is called, until they say otherwise. */
export const createMe = () => createSubject<MessageAuthor>({ name: anonymousParticipant, isMe: true })
