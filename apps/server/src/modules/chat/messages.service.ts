import { randomUUIDv7 } from 'node:crypto'
import { chatLimits } from '@sallyport/contract/limits'
import type { Message } from '@sallyport/contract/messages'
import { rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { apiError } from '../../errors.ts'
import { computeExpiry } from '../files/uploads/file-checks.ts'
import type { MessagesStore } from './messages.store.ts'
import { requireSealedMessage, type SealedMessage } from './sealed/sealed-message.ts'
import type { AccountMessageRow, Page, PageRequest } from './sealed/stored-messages.store.ts'

interface MessageServiceDeps extends Pick<ServerContext, 'rateLimiter' | 'publishToAccount' | 'now' | 'strict'> {
  readonly store: MessagesStore
  /** The lifetime of the account's messages and files. */
  readonly expirationMinutesOf: (userId: string) => Promise<number>
  /** The storage limit of the account in bytes, including its messages. */
  readonly storageLimitOf: (userId: string) => Promise<number>
}

/**
 * The messages of an account. A message that is missing, expired or another account's gets the same not-found error.
 */
export function createMessageService(deps: MessageServiceDeps) {
  const { store, rateLimiter, publishToAccount, now, strict, expirationMinutesOf, storageLimitOf } = deps

  return {
    async page(ownerId: string, request: PageRequest): Promise<Page<Message>> {
      const page = await store.page(ownerId, request, now())
      return { ...page, messages: page.messages.map(toMessage) }
    },

    /** Stores a message for as long as the account's files. Sending the same message again returns the stored one. */
    async send(ownerId: string, { sealedText, wrappedKey }: SealedMessage): Promise<Message> {
      requireSealedMessage({ sealedText, wrappedKey }, { kind: 'personal', contextId: ownerId }, strict)
      await rateLimiter.require(`chat|${ownerId}`, rateLimits.chatMessagesPerAccount)
      const lifetimeMs = computeExpiry(0, await expirationMinutesOf(ownerId))
      const result = await store.add(
        { id: randomUUIDv7(), ownerId, sealedText, wrappedKey, now: now(), lifetimeMs },
        { messages: chatLimits.livePerAccount, storageBytes: await storageLimitOf(ownerId) },
      )
      if ('error' in result) throw apiError(result.error)
      const message = toMessage(result.message)
      const { id, createdAt } = message
      if (result.isNew) publishToAccount(ownerId, { type: 'message.inserted', id, createdAt })
      return message
    },

    async remove(ownerId: string, id: string): Promise<void> {
      const removed = await store.remove(ownerId, id, now())
      if (!removed) throw apiError('MESSAGE_NOT_FOUND')
      publishToAccount(ownerId, { type: 'message.deleted', id })
    },

    async removeAll(ownerId: string): Promise<number> {
      const removed = await store.removeAll(ownerId)
      for (const id of removed) publishToAccount(ownerId, { type: 'message.deleted', id })
      return removed.length
    },
  }
}

export type MessageService = ReturnType<typeof createMessageService>

const toMessage = (row: AccountMessageRow): Message => ({
  id: row.id,
  encryptedContent: row.sealed_text,
  encryptedKey: row.wrapped_key,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
