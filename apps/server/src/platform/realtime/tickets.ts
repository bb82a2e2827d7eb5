import { randomBytes } from 'node:crypto'
import type { TicketPurpose } from '@sallyport/contract/live'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { hashToken } from '../../token-hash.ts'

/** The holder of a ticket for the live channel. */
export interface LiveHolder {
  readonly purpose: TicketPurpose
  readonly userId: string
  readonly authSessionId: string
}

interface AnyHolder {
  readonly purpose: string
}

/** Tickets that open one socket each: browser sockets cannot send headers, and a URL must not carry a bearer token. */
export interface Tickets<Holder extends AnyHolder = LiveHolder> {
  issue(holder: Holder): Promise<string>
  /** Returns the holder of the ticket, which is valid once and only for its purpose. */
  redeem(ticket: string, purpose: Holder['purpose']): Promise<Holder | null>
}

/** Creates tickets of one kind; those of another kind are rejected and stay valid. */
export type CreateTickets = <Holder extends AnyHolder = LiveHolder>(kind: string) => Tickets<Holder>

/** Stores tickets by their hash: what is stored does not reveal a usable ticket. */
export interface TicketStore {
  /** Stores an entry for `forMs`. */
  insert(key: string, issued: string, forMs: number): Promise<void>
  /** Returns and deletes an entry, so that only one caller gets it. */
  consume(key: string): Promise<string | null>
}

interface Issued<Holder> {
  readonly holder: Holder
  readonly until: number
}

/** Creates tickets on a store that never sees a ticket itself. */
export const createTicketFactory =
  (store: TicketStore, now: () => number): CreateTickets =>
  <Holder extends AnyHolder>(kind: string): Tickets<Holder> => {
    const keyOf = (ticket: string): string => `ticket:${kind}:${hashToken(ticket)}`
    return {
      async issue(holder) {
        const ticket = randomBytes(32).toString('base64url')
        const issued: Issued<Holder> = { holder, until: now() + tokenLimits.ticketMs }
        await store.insert(keyOf(ticket), JSON.stringify(issued), tokenLimits.ticketMs)
        return ticket
      },
      async redeem(ticket, purpose) {
        const found = await store.consume(keyOf(ticket))
        if (found === null) return null
        const { holder, until }: Issued<Holder> = JSON.parse(found)
        return until > now() && holder.purpose === purpose ? holder : null
      },
    }
  }

/** Stores tickets in the memory of this process. */
export function createLocalTicketStore(now: () => number): TicketStore {
  const entries = new Map<string, { readonly issued: string; readonly until: number }>()

  function deleteExpired(): void {
    for (const [key, { until }] of entries) {
      if (until > now()) return
      entries.delete(key)
    }
  }

  return {
    async insert(key, issued, forMs) {
      deleteExpired()
      entries.set(key, { issued, until: now() + forMs })
    },
    async consume(key) {
      const found = entries.get(key)
      entries.delete(key)
      return found?.issued ?? null
    },
  }
}
