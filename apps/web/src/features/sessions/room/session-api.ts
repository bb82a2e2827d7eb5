import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import { sessionFiles } from '@sallyport/contract/session-files'
import type { SessionMessage, SessionSettings } from '@sallyport/contract/session-shapes'
import { sessions } from '@sallyport/contract/sessions'
import type { SealedMessage } from '@sallyport/crypto'
import type { LoadPage } from '#/components/messages/list/message-pages.ts'
import type { ListedMessage } from '#/components/messages/listed-message.ts'
import { checkListed } from '#/lib/check-listed.ts'

/** A message of a session with the sender as the server names it, which is used for messages of version 1 only. */
export interface ListedSessionMessage extends ListedMessage {
  readonly authorName: string
  readonly authorId: string | null
}

interface SessionApiDeps {
  readonly call: Call
  readonly entered: Pick<JoinedSession, 'session' | 'participantToken'>
  /** Called when the server no longer has this session. */
  readonly onEnded: () => void
}

/** The API calls of one participant of one session. */
export function createSessionApi({ call, entered, onEnded }: SessionApiDeps) {
  const { id } = entered.session
  const params = { id }
  const headers = { 'x-participant-token': entered.participantToken }

  async function detectEnd<T>(request: Promise<T>): Promise<T> {
    try {
      return await request
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SESSION_NOT_FOUND') onEnded()
      throw error
    }
  }

  return {
    get: async () => (await detectEnd(call(sessions.get, { params, headers }))).session,
    heartbeat: async () => void (await detectEnd(call(sessions.heartbeat, { params, headers, body: {} }))),
    leave: async () => void (await call(sessions.leave, { params, headers, body: {} })),
    ticket: async (signal: AbortSignal) =>
      (await detectEnd(call(sessions.ticket, { params, headers, body: {} }, { signal }))).ticket,
    changeSettings: async (body: Partial<SessionSettings>) =>
      (await detectEnd(call(sessions.settings, { params, headers, body }))).session,
    rename: async (name: string | null) =>
      void (await detectEnd(call(sessions.rename, { params, headers, body: { participant_name: name } }))),
    remove: async (participantId: string) =>
      void (await detectEnd(call(sessions.remove, { params: { id, participantId }, headers }))),
    answerJoinRequest: async (knockId: string, admit: boolean) =>
      void (await detectEnd(call(sessions.answerJoinRequest, { params: { id, knockId }, headers, body: { admit } }))),
    messages: (async ({ before, after }, signal) => {
      const query = {
        ...(before !== undefined && { before: String(before) }),
        ...(after !== undefined && { after: String(after) }),
      }
      const page = await detectEnd(call(sessions.messages, { params, headers, query }, { signal }))
      return { ...page, messages: page.messages.map(toListedMessage) }
    }) satisfies LoadPage<ListedSessionMessage>,
    send: async ({ encryptedContent, encryptedKey }: SealedMessage) => {
      const body = { message_text: encryptedContent, encrypted_key: encryptedKey }
      return toListedMessage((await detectEnd(call(sessions.send, { params, headers, body }))).message)
    },
    async files() {
      const { files } = await detectEnd(call(sessionFiles.list, { params, headers, query: {} }))
      checkListed(files.map((file) => ({ createdAt: file.created_at, expiresAt: file.expires_at })))
      return files
    },
    admit: async (body: string) => void (await detectEnd(call(sessions.admit, { params, headers, body: { body } }))),
    admissions: async (since: number) =>
      (await detectEnd(call(sessions.admissions, { params, headers, query: { since: String(since) } }))).admissions,
    removeFile: async (fileId: string) =>
      void (await detectEnd(call(sessionFiles.remove, { params: { fileId }, headers, query: {} }))),
  }
}

export type SessionApi = ReturnType<typeof createSessionApi>

const toListedMessage = (message: SessionMessage): ListedSessionMessage => ({
  id: message.id,
  encryptedContent: message.content,
  encryptedKey: message.encrypted_key,
  createdAt: message.created_at,
  expiresAt: message.expires_at,
  authorName: message.participant_name,
  authorId: message.participant_id,
})
