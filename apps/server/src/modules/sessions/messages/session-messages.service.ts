import { randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { anonymousParticipant, type SessionMessage, sealedParticipantName } from '@sallyport/contract/session-shapes'
import type { ServerContext } from '../../../context.ts'
import { apiError } from '../../../errors.ts'
import { requireSealedMessage, type SealedMessage } from '../../chat/sealed/sealed-message.ts'
import type { Page, PageRequest, SessionMessageRow } from '../../chat/sealed/stored-messages.store.ts'
import type { AdmissionRecord } from '../admission/admissions.store.ts'
import { type SessionCaller, sessionNotFound } from '../admission/session-access.ts'
import type { SessionStores } from '../session-stores.store.ts'

interface SessionMessageServiceDeps
  extends Pick<SessionStores, 'admissions'>,
    Pick<ServerContext, 'rateLimiter' | 'publishToSession' | 'now' | 'strict'> {
  readonly store: SessionStores['messages']
  /** The storage limit of an account in bytes, including the messages of its sessions. */
  readonly storageLimitOf: (userId: string) => Promise<number>
}

interface SealedSessionMessage extends SealedMessage {
  readonly sealedName: string | undefined
}

/** Throws for names that are not sealed; a server that is not strict accepts any. */
export function requireSealedParticipantName(name: string | null | undefined, strict: boolean): void {
  if (strict && typeof name === 'string' && !sealedParticipantName.test(name)) throw apiError('SEALED_MESSAGE_REQUIRED')
}

/** The messages of a session, and those that two participants exchange for an admission. */
export function createSessionMessageService(deps: SessionMessageServiceDeps) {
  const { store, admissions, rateLimiter, publishToSession, storageLimitOf, now, strict } = deps

  return {
    async page({ session }: SessionCaller, request: PageRequest): Promise<Page<SessionMessage>> {
      const page = await store.page(session.id, request)
      return { ...page, messages: page.messages.map((message) => toMessage(message, session.endsAt)) }
    },

    /** Stores a message until the session ends. Sending the same message again returns the stored one. */
    async send({ session, participant }: SessionCaller, sealed: SealedSessionMessage): Promise<SessionMessage> {
      requireSealedMessage(sealed, { kind: 'session', contextId: session.id }, strict)
      requireSealedParticipantName(sealed.sealedName, strict)
      await rateLimiter.require(`session chat|${participant.id}`, rateLimits.sessionMessagesPerParticipant)
      const { sealedText, wrappedKey, sealedName = null } = sealed
      const message = { id: randomUUIDv7(), participantId: participant.id, sealedText, wrappedKey, sealedName }
      const result = await store.add(
        { ...message, sessionId: session.id, now: now() },
        { messages: sessionLimits.liveMessages, storageBytes: await storageLimitOf(session.creatorId) },
      )
      if (!result) throw sessionNotFound()
      if ('error' in result) throw apiError(result.error)
      const { id, created_at: createdAt } = result.message
      if (result.isNew) publishToSession(session.id, { type: 'session.message.inserted', id, createdAt })
      return toMessage(result.message, session.endsAt)
    },

    /** Forwards an admission message without reading it; returns its sequence number. */
    async admit({ session, participant }: SessionCaller, body: string): Promise<number> {
      await rateLimiter.require(`admission|${participant.id}`, rateLimits.admissionsPerParticipant)
      const message = await admissions.add(session.id, { participantId: participant.id, body, createdAt: now() })
      if (!message) throw sessionNotFound()
      publishToSession(session.id, { type: 'session.admission', admission: toAdmission(message) })
      return message.seq
    },

    async listAdmissions({ session }: SessionCaller, since: number) {
      return (await admissions.list(session.id, { since, now: now() })).map(toAdmission)
    },
  }
}

const toMessage = (row: SessionMessageRow, expiresAt: number): SessionMessage => ({
  id: row.id,
  content: row.sealed_text,
  encrypted_key: row.wrapped_key,
  participant_name: row.sealed_name ?? anonymousParticipant,
  participant_id: row.participant_id,
  created_at: row.created_at,
  expires_at: expiresAt,
})

const toAdmission = ({ seq, participantId, body, createdAt }: AdmissionRecord) => ({
  seq,
  participant_id: participantId,
  body,
  created_at: createdAt,
})
