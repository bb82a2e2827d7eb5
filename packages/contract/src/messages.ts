import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DecimalText, EpochMs, Id, pageCursors, Succeeded } from './fields.ts'
import { chatLimits } from './limits.ts'

/** A stored message: a sealed text, and the text's own key, wrapped with the account key. */
export const Message = z.object({
  id: Id,
  encryptedContent: z.string(),
  encryptedKey: z.string(),
  /** Unique per account and later than that of all earlier messages. */
  createdAt: EpochMs,
  expiresAt: EpochMs,
})
export type Message = z.output<typeof Message>

export const messages = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages',
    summary: 'List the newest page of my messages, oldest first; with `after`, the first page of later ones',
    access: 'account',
    query: z.object({ after: z.optional(DecimalText) }),
    reply: z.array(Message),
    errors: ['RATE_LIMITED'],
  }),
  page: endpoint({
    method: 'GET',
    path: '/api/messages/page',
    summary: 'List a page of my messages with its cursors, oldest first: the newest, or those before or after a time',
    access: 'account',
    query: z.object({ after: z.optional(DecimalText), before: z.optional(DecimalText) }),
    reply: z.object({ success: Succeeded, messages: z.array(Message), ...pageCursors }),
    errors: ['RATE_LIMITED'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/messages',
    summary: 'Send a message; idempotent for an identical message',
    access: 'account',
    body: z.object({
      encryptedMessage: z.string().check(z.minLength(1)),
      encryptedKey: z.string().check(z.minLength(1)),
    }),
    bodyBytes: chatLimits.bodyBytes,
    reply: z.extend(Message, { success: Succeeded }),
    errors: [
      'SEALED_MESSAGE_REQUIRED',
      'ENVELOPE_KIND',
      'MESSAGE_TOO_LONG',
      'TOO_MANY_MESSAGES',
      'STORAGE_LIMIT',
      'RATE_LIMITED',
      'CONFLICT',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/messages/:id',
    summary: 'Delete one of my messages',
    access: 'account',
    params: z.object({ id: Id }),
    reply: z.object({ success: Succeeded }),
    errors: ['MESSAGE_NOT_FOUND'],
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/messages',
    summary: 'Delete all my messages',
    access: 'account',
    reply: z.object({ success: Succeeded, deleted: z.int() }),
  }),
}
