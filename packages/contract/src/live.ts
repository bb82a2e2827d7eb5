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
    summary: 'Create a ticket that opens one socket within 30 seconds',
    access: 'account',
    body: z.object({ purpose: TicketPurpose }),
    reply: z.object({ success: Succeeded, ticket: z.string() }),
  }),
}

/** The path of the live channel, with `?ticket=`. */
export const livePath = '/api/live'

/** The events of the live channel; never contents, only ids and list rows. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** The connection is open; earlier events were missed. */
  z.object({ type: z.literal('ready') }),
  /** The connection is still open. */
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('file.inserted'), file: ListedFile }),
  z.object({ type: z.literal('file.deleted'), id: Id }),
  z.object({ type: z.literal('file.changed'), id: Id, ...FileChange.shape }),
  z.object({ type: z.literal('message.inserted'), id: Id, createdAt: EpochMs }),
  z.object({ type: z.literal('message.deleted'), id: Id }),
  z.object({ type: z.literal('account.revoked') }),
  /** The plan of the account has changed, or how it ends. */
  z.object({ type: z.literal('licence.changed') }),
  /** The account became an admin, or is none any more. */
  z.object({ type: z.literal('admin.changed') }),
  /** The organization that the account belongs to has changed, or whether it belongs to one. */
  z.object({ type: z.literal('organization.changed') }),
  z.object({ type: z.literal('session.file.inserted'), file: SessionFile }),
  z.object({ type: z.literal('session.file.deleted'), id: Id }),
  z.object({ type: z.literal('session.message.inserted'), id: Id, createdAt: EpochMs }),
  z.object({ type: z.literal('session.settings'), settings: SessionSettings }),
  /** A removal has replaced the key share; the session endpoint returns the new one. */
  z.object({ type: z.literal('session.key') }),
  /** A participant joined, left or was renamed. */
  z.object({ type: z.literal('session.peers'), participants: z.array(Participant) }),
  /** The list of join requests has changed. */
  z.object({ type: z.literal('session.knocks') }),
  z.object({ type: z.literal('session.admission'), admission: Admission }),
  /** The session has ended, or this participant was removed. */
  z.object({ type: z.literal('session.closed'), reason: z.enum(['closed', 'removed']) }),
])
export type LiveEvent = z.output<typeof LiveEvent>
