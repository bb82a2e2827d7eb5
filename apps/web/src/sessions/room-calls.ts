import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { sessionFiles } from '@sallyport/contract/session-files'
import type {
  Admission,
  Session,
  SessionFile,
  SessionMessage,
  SessionSettings,
} from '@sallyport/contract/session-shapes'
import { sessions } from '@sallyport/contract/sessions'
import type { SealedMessage } from '@sallyport/crypto'
import type { LoadPage } from '#/messages/message-pages.ts'
import type { RoomMessage } from './room-message.ts'

/** The calls of one participant of one session. */
export interface RoomCalls {
  readonly get: () => Promise<Session>
  readonly heartbeat: () => Promise<void>
  readonly leave: () => Promise<void>
  readonly ticket: (signal: AbortSignal) => Promise<string>
  readonly changeSettings: (settings: Partial<SessionSettings>) => Promise<Session>
  readonly rename: (sealedName: string | null) => Promise<void>
  readonly remove: (participantId: string) => Promise<void>
  readonly answerKnock: (knockId: string, admit: boolean) => Promise<void>
  readonly messages: LoadPage<RoomMessage>
  readonly send: (message: SealedMessage) => Promise<RoomMessage>
  readonly files: () => Promise<readonly SessionFile[]>
  readonly removeFile: (fileId: string) => Promise<void>
  readonly admit: (body: string) => Promise<void>
  readonly admissions: (since: number) => Promise<readonly Admission[]>
}

interface Parts {
  readonly call: Call
  readonly entered: Pick<Entered, 'session' | 'participantToken'>
  /** The server knows of no such session any more. */
  readonly onOver: () => void
}

export function createRoomCalls({ call, entered, onOver }: Parts): RoomCalls {
  const { id } = entered.session
  const params = { id }
  const headers = { 'x-participant-token': entered.participantToken }

  async function noticing<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SESSION_NOT_FOUND') onOver()
      throw error
    }
  }

  return {
    get: async () => (await noticing(call(sessions.get, { params, headers }))).session,
    heartbeat: async () => void (await noticing(call(sessions.heartbeat, { params, headers, body: {} }))),
    leave: async () => void (await call(sessions.leave, { params, headers, body: {} })),
    ticket: async (signal) => (await noticing(call(sessions.ticket, { params, headers, body: {} }, { signal }))).ticket,
    changeSettings: async (body) => (await noticing(call(sessions.settings, { params, headers, body }))).session,
    rename: async (name) =>
      void (await noticing(call(sessions.rename, { params, headers, body: { participant_name: name } }))),
    remove: async (participantId) =>
      void (await noticing(call(sessions.remove, { params: { id, participantId }, headers }))),
    answerKnock: async (knockId, admit) =>
      void (await noticing(call(sessions.answerKnock, { params: { id, knockId }, headers, body: { admit } }))),
    messages: async ({ before, after }, signal) => {
      const query = {
        ...(before !== undefined && { before: String(before) }),
        ...(after !== undefined && { after: String(after) }),
      }
      const page = await noticing(call(sessions.messages, { params, headers, query }, { signal }))
      return { ...page, messages: page.messages.map(listedOf) }
    },
    send: async ({ encryptedContent, encryptedKey }) => {
      const body = { message_text: encryptedContent, encrypted_key: encryptedKey }
      return listedOf((await noticing(call(sessions.send, { params, headers, body }))).message)
    },
    files: async () => (await noticing(call(sessionFiles.list, { params, headers, query: {} }))).files,
    admit: async (body) => void (await noticing(call(sessions.admit, { params, headers, body: { body } }))),
    admissions: async (since) =>
      (await noticing(call(sessions.admissions, { params, headers, query: { since: String(since) } }))).admissions,
    removeFile: async (fileId) =>
      void (await noticing(call(sessionFiles.remove, { params: { fileId }, headers, query: {} }))),
  }
}

const listedOf = (message: SessionMessage): RoomMessage => ({
  id: message.id,
  encryptedContent: message.content,
  encryptedKey: message.encrypted_key,
  createdAt: message.created_at,
  expiresAt: message.expires_at,
  authorName: message.participant_name,
  authorId: message.participant_id,
})
