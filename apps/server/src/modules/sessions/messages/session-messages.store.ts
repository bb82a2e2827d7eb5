import { nonDurableTransaction } from '../../../platform/db/non-durable-transaction.ts'
import type { Database } from '../../../platform/db/schema.ts'
import {
  type AddMessageResult,
  addMessage,
  type MessageLimits,
  type NewMessage,
  type Page,
  type PageRequest,
  readPage,
  type SessionMessageRow,
  selectMessages,
} from '../../chat/sealed/stored-messages.store.ts'
import { lockSession } from '../session-records.store.ts'

interface NewSessionMessage extends NewMessage {
  readonly sessionId: string
  readonly participantId: string
  readonly sealedName: string | null
}

/** A client repeats a message when it missed the response, so the original is recent. */
const repeatWindowMs = 10 * 60_000

/** SQL for the messages of a session; they are deleted with it. */
export function createSessionMessagesStore(db: Database) {
  return {
    page: (sessionId: string, request: PageRequest): Promise<Page<SessionMessageRow>> =>
      readPage(selectMessages(db, 'session_messages', sessionId), request),

    /**
     * Inserts are serialized per session, so that a client that polls for newer messages misses none. Does not wait for
     * the disk: messages do not outlive their session anyway, and a power failure closes its sockets too. Null when the
     * session has ended.
     */
    add(message: NewSessionMessage, limits: MessageLimits): Promise<AddMessageResult<SessionMessageRow> | null> {
      const { sessionId, participantId, sealedName, now } = message
      return nonDurableTransaction(db, async (transaction) => {
        const session = await lockSession(transaction, sessionId)
        if (!session) return null
        const messages = selectMessages(transaction, 'session_messages', sessionId)
        return addMessage(transaction, message, limits, {
          payerId: session.creator_id,
          messageCount: session.message_count,
          lastMessageAt: session.last_message_at,
          repeatable: messages.where('created_at', '>', now - repeatWindowMs),
          async insert(row) {
            await transaction
              .updateTable('sessions')
              .set({
                message_count: session.message_count + 1,
                message_bytes: session.message_bytes + row.bytes,
                last_message_at: row.created_at,
              })
              .where('id', '=', sessionId)
              .execute()
            return transaction
              .insertInto('session_messages')
              .values({ ...row, session_id: sessionId, participant_id: participantId, sealed_name: sealedName })
              .returningAll()
              .executeTakeFirstOrThrow()
          },
        })
      })
    },
  }
}
