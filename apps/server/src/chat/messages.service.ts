import { randomUUIDv7 } from 'node:crypto'
import { chatLimits } from '@sallyport/contract/limits'
import { rateLimits } from '@sallyport/contract/server-limits'
import { refuse } from '../errors.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { Announce } from '../live/announce.ts'
import type { Page, PageRequest } from '../sealed/message-page.ts'
import { requireSealedMessage } from '../sealed/sealed-message.ts'
import { endOfLife } from '../uploads/lifetime.ts'
import type { MessageRecord, MessagesStore } from './messages.store.ts'

interface Parts {
  readonly store: MessagesStore
  readonly attempts: Attempts
  readonly announce: Announce
  readonly now: () => number
  /** Take nothing that is not sealed. */
  readonly strict: boolean
  /** How long what an account leaves here stays. */
  readonly expirationMinutesOf: (userId: string) => Promise<number>
  /** Bytes the account may keep, its messages among them. */
  readonly storageLimitOf: (userId: string) => Promise<number>
}

/** The messages of an account. One that is missing, expired or somebody else's is not found, all alike. */
export function createMessages(parts: Parts) {
  const { store, attempts, announce, now, strict, expirationMinutesOf, storageLimitOf } = parts

  async function requirePace(ownerId: string): Promise<void> {
    const pace = await attempts.allow(`chat|${ownerId}`, rateLimits.chatMessagesPerAccount)
    if (!pace.allowed) throw refuse('RATE_LIMITED', { retryAfterSeconds: pace.retryAfterSeconds })
  }

  return {
    page: (ownerId: string, request: PageRequest): Promise<Page<MessageRecord>> => store.page(ownerId, request, now()),

    /** Keeps a message for as long as the account's files stay. The very same one again is answered as it was. */
    async send(ownerId: string, sealed: Pick<MessageRecord, 'sealedText' | 'wrappedKey'>): Promise<MessageRecord> {
      requireSealedMessage(sealed, { kind: 'personal', contextId: ownerId }, strict)
      await requirePace(ownerId)
      const lifetimeMs = endOfLife(0, await expirationMinutesOf(ownerId))
      const message = { id: randomUUIDv7(), ownerId, ...sealed, now: now(), lifetimeMs }
      const adding = await store.add(message, {
        live: chatLimits.livePerAccount,
        storageBytes: await storageLimitOf(ownerId),
      })
      if (adding.outcome === 'too-many') throw refuse('TOO_MANY_MESSAGES')
      if (adding.outcome === 'no-storage') throw refuse('STORAGE_LIMIT')
      if (adding.outcome === 'key-taken') throw refuse('CONFLICT')
      const { id, createdAt } = adding.message
      if (adding.outcome === 'added') announce(ownerId, { type: 'message.inserted', id, createdAt })
      return adding.message
    },

    async remove(ownerId: string, id: string): Promise<void> {
      const removed = await store.remove(ownerId, id, now())
      if (!removed) throw refuse('MESSAGE_NOT_FOUND')
      announce(ownerId, { type: 'message.deleted', id })
    },

    async removeAll(ownerId: string): Promise<number> {
      const removed = await store.removeAll(ownerId)
      for (const id of removed) announce(ownerId, { type: 'message.deleted', id })
      return removed.length
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
