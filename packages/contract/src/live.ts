import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EpochMs, Id, Succeeded } from './fields.ts'
import { FileChange, ListedFile } from './files.ts'
import { Admission, Participant, SessionFile, SessionSettings } from './session-shapes.ts'

export const TicketPurpose = z.enum(['live', 'upload'])
export type TicketPurpose = z.output<typeof TicketPurpose>

export const live = {
  ticket: endpoint({
    method: 'POST',
    path: '/api/live/tickets',
    summary: 'A ticket that opens one socket within 30 seconds',
    access: 'account',
    body: z.object({ purpose: TicketPurpose }),
    reply: z.object({ success: Succeeded, ticket: z.string() }),
  }),
}

/** Where the live channel is opened, with `?ticket=`. */
export const livePath = '/api/live'

/** What the server tells an open page of; never content, only ids and what a list row needs. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** The connection stands; what happened before was missed. */
  z.object({ type: z.literal('ready') }),
  /** It still does. */
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('file.inserted'), file: ListedFile }),
  z.object({ type: z.literal('file.deleted'), id: Id }),
  z.object({ type: z.literal('file.changed'), id: Id, ...FileChange.shape }),
  z.object({ type: z.literal('message.inserted'), id: Id, createdAt: EpochMs }),
  z.object({ type: z.literal('message.deleted'), id: Id }),
  z.object({ type: z.literal('account.revoked') }),
  z.object({ type: z.literal('session.file.inserted'), file: SessionFile }),
  z.object({ type: z.literal('session.file.deleted'), id: Id }),
  z.object({ type: z.literal('session.message.inserted'), id: Id, createdAt: EpochMs }),
  z.object({ type: z.literal('session.settings'), settings: SessionSettings }),
  /** A removal has replaced the share of the key; the session itself tells the new one. */
  z.object({ type: z.literal('session.key') }),
  /** Somebody came, went, or is called otherwise. */
  z.object({ type: z.literal('session.peers'), participants: z.array(Participant) }),
  /** Somebody waits to be let in, or does no longer. */
  z.object({ type: z.literal('session.knocks') }),
  z.object({ type: z.literal('session.admission'), admission: Admission }),
  /** The session is over, or over for this participant. */
  z.object({ type: z.literal('session.closed'), reason: z.enum(['closed', 'removed']) }),
])
export type LiveEvent = z.output<typeof LiveEvent>
