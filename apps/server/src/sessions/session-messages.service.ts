import { randomUUIDv7 } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { anonymousParticipant, type SessionMessage, sealedParticipantName } from '@sallyport/contract/session-shapes'
import { refuse } from '../errors.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { AnnounceToSession } from '../live/announce.ts'
import type { Page, PageRequest } from '../sealed/message-page.ts'
import { requireSealedMessage } from '../sealed/sealed-message.ts'
import type { AdmissionRecord, AdmissionsStore } from './admissions.store.ts'
import { notFound, type Visit } from './entrance.ts'
import type { SessionMessageRecord, SessionMessagesStore } from './session-messages.store.ts'

interface Parts {
  readonly store: SessionMessagesStore
  readonly admissions: AdmissionsStore
  readonly attempts: Attempts
  readonly announceToSession: AnnounceToSession
  readonly now: () => number
  /** Bytes an account may keep, the messages of its sessions among them. */
  readonly storageLimitOf: (userId: string) => Promise<number>
  /** Take nothing that is not sealed. */
  readonly strict: boolean
}

interface Sealed {
  readonly sealedText: string
  readonly wrappedKey: string
  readonly sealedName: string | undefined
}

/** Refuses names that are not sealed; a server that is not strict takes any. */
export function requireSealedParticipantName(name: string | null | undefined, strict: boolean): void {
  if (strict && typeof name === 'string' && !sealedParticipantName.test(name)) throw refuse('SEALED_MESSAGE_REQUIRED')
}

/** What participants of a session say to all of them, and what passes between two who let one another in. */
export function createSessionMessages(parts: Parts) {
  const { store, admissions, attempts, announceToSession, storageLimitOf, now, strict } = parts

  async function requirePace(key: string, limit: { points: number; windowSeconds: number }): Promise<void> {
    const pace = await attempts.allow(key, limit)
    if (!pace.allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds: pace.retryAfterSeconds })
  }

  return {
    async page({ session }: Visit, request: PageRequest): Promise<Page<SessionMessage>> {
      const page = await store.page(session.id, request)
      return { ...page, messages: page.messages.map((message) => asMessage(message, session.endsAt)) }
    },

    /** Keeps a message until the session ends. The very same one again is answered as it was. */
    async send({ session, participant }: Visit, sealed: Sealed): Promise<SessionMessage> {
      requireSealedMessage(sealed, { kind: 'session', contextId: session.id }, strict)
      requireSealedParticipantName(sealed.sealedName, strict)
      await requirePace(`session chat|${participant.id}`, rateLimits.sessionMessagesPerParticipant)
      const adding = await store.add(
        {
          id: randomUUIDv7(),
          sessionId: session.id,
          participantId: participant.id,
          sealedName: sealed.sealedName ?? null,
          wrappedKey: sealed.wrappedKey,
          sealedText: sealed.sealedText,
          now: now(),
        },
        { messages: sessionLimits.liveMessages, storageBytes: await storageLimitOf(session.creatorId) },
      )
      if (adding.outcome === 'closed') throw notFound()
      if (adding.outcome === 'too-many') throw refuse('TOO_MANY_MESSAGES')
      if (adding.outcome === 'no-storage') throw refuse('STORAGE_LIMIT')
      if (adding.outcome === 'key-taken') throw refuse('CONFLICT')
      const { id, createdAt } = adding.message
      if (adding.outcome === 'added') announceToSession(session.id, { type: 'session.message.inserted', id, createdAt })
      return asMessage(adding.message, session.endsAt)
    },

    /** Hands a piece on to the others, unread; answers its number. */
    async admit({ session, participant }: Visit, body: string): Promise<number> {
      await requirePace(`admission|${participant.id}`, rateLimits.admissionsPerParticipant)
      const piece = await admissions.add(session.id, { participantId: participant.id, body, createdAt: now() })
      if (!piece) throw notFound()
      announceToSession(session.id, { type: 'session.admission', admission: asAdmission(piece) })
      return piece.seq
    },

    async listAdmissions({ session }: Visit, since: number) {
      return (await admissions.list(session.id, { since, now: now() })).map(asAdmission)
    },
  }
}

export type SessionMessages = ReturnType<typeof createSessionMessages>

const asMessage = (message: SessionMessageRecord, expiresAt: number): SessionMessage => ({
  id: message.id,
  content: message.sealedText,
  encrypted_key: message.wrappedKey,
  participant_name: message.sealedName ?? anonymousParticipant,
  participant_id: message.participantId,
  created_at: message.createdAt,
  expires_at: expiresAt,
})

const asAdmission = ({ seq, participantId, body, createdAt }: AdmissionRecord) => ({
  seq,
  participant_id: participantId,
  body,
  created_at: createdAt,
})
