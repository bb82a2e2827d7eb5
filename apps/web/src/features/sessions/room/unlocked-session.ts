import type { Connectivity } from '@sallyport/client/connectivity'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import { readSessionMessage } from '@sallyport/client/sessions/read-session'
import { epochOf } from '@sallyport/client/sessions/session-keys'
import { findFileRootKey, type SessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { sealSessionMessage } from '@sallyport/crypto'
import { parseMessageKey } from '@sallyport/crypto/envelope'
import { sessionSource } from '@sallyport/transfers/engine/download/session-source'
import type { QueryClient } from '@tanstack/react-query'
import { createConversation } from '#/components/messages/conversation.ts'
import type { ErrorNotice } from '#/components/messages/error-notices.ts'
import { createFileNameCache } from '#/lib/file-name-cache.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { messagesKey } from '../session.queries.ts'
import { type AnonymousNames, chosenName } from './anonymous-names.ts'
import type { OwnAuthor, UnlockedSession } from './current-session.ts'
import { createParticipantNames, type ParticipantNames } from './participant-names.ts'
import type { SessionApi } from './session-api.ts'
import type { SessionTransfers } from './session-transfers.ts'

interface UnlockedSessionDeps {
  readonly entered: JoinedSession
  readonly keys: SessionKeys
  readonly api: SessionApi
  readonly queries: QueryClient
  readonly connectivity: Connectivity
  readonly me: () => OwnAuthor
  readonly anonymousNames: Pick<AnonymousNames, 'nameOf'>
  readonly transfers: SessionTransfers
  readonly origin: string
}

export interface UnlockedSessionState extends UnlockedSession, SessionTransfers {
  readonly keys: SessionKeys
  readonly participantNames: ParticipantNames
}

/** Creates the chat and the files of a session whose key is available. */
export function createUnlockedSession(deps: UnlockedSessionDeps): UnlockedSessionState {
  const { entered, keys, api, queries, connectivity, me, anonymousNames, transfers, origin } = deps
  const { downloads } = transfers
  const { session, senderId } = entered
  const { id: sessionId, participant_id: myId } = session
  const findRootKey = (envelope: string) => findFileRootKey(keys, envelope)
  const conversation = createConversation({
    queries,
    queryKey: messagesKey(sessionId),
    load: api.messages,
    async open({ encryptedContent: content, encryptedKey: encrypted_key, authorName: participant_name, authorId }) {
      const { keyId } = parseMessageKey(encrypted_key)
      const context = await keys.forKeyId(keyId)
      const read = await readSessionMessage({ content, encrypted_key, participant_name }, context)
      // Any member can copy a sender id from a message, and the server chooses the author: a message is the user's own
      // only if both match.
      const isMe = read.senderId === senderId && authorId !== null && authorId === myId
      const name = chosenName(read.senderName) ?? anonymousNames.nameOf(authorId)
      const keyEpoch = epochOf(context, keyId)
      return {
        text: read.text,
        sentAt: read.sentAt,
        author: { name, isMe },
        ...(keyEpoch !== undefined && { keyEpoch }),
      }
    },
    seal(message) {
      const senderName = me().chosenName ?? ''
      return sealSessionMessage({ root: keys.current().root, sessionId, senderId, senderName, ...message })
    },
    deliver: api.send,
    connectivity,
    me,
    describeSendError,
  })

  return {
    keys,
    ...conversation,
    listFiles: api.files,
    ...transfers,
    fileNames: createFileNameCache(findRootKey, 'session'),
    async download({ id, encrypted_file_key: encryptedFileKey, size_bytes }, name) {
      const { participantToken } = entered
      const root = await findRootKey(encryptedFileKey)
      const source = sessionSource({ id, root, encryptedFileKey, participantToken })
      downloads.start({ source, name, size: size_bytes })
    },
    deleteFile: api.removeFile,
    linkToFile: (fileId) => `${origin}/share/${fileId}`,
    participantNames: createParticipantNames(keys),
  }
}

/** The server's message as the detail of a failed send. */
function describeSendError(error: unknown): ErrorNotice {
  const title = sessionStrings.sendFailed
  const detail = messageFor(error, '')
  return detail === '' || detail === title ? { title } : { title, detail }
}
