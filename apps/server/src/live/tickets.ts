import { randomBytes } from 'node:crypto'
import type { TicketPurpose } from '@sallyport/contract/live'
import { tokenLimits } from '@sallyport/contract/server-limits'
import { hashOfToken } from '../token-hash.ts'

/** Whom a ticket of the live channel was made for. */
export interface LiveHolder {
  readonly purpose: TicketPurpose
  readonly userId: string
  readonly signInId: string
}

interface AnyHolder {
  readonly purpose: string
}

/** Tickets that open one socket each: sockets cannot send headers, and an address must not carry a bearer token. */
export interface Tickets<Holder extends AnyHolder = LiveHolder> {
  issue(holder: Holder): Promise<string>
  /** Who the ticket was made for; it is good once, and only for what it was made for. */
  redeem(ticket: string, purpose: Holder['purpose']): Promise<Holder | null>
}

/** Makes tickets of one kind; those of another kind are not theirs, and stay good. */
export type OpenTickets = <Holder extends AnyHolder = LiveHolder>(kind: string) => Tickets<Holder>

/** What stands behind a ticket, by the ticket's hash: whoever reads what is kept cannot open anything with it. */
export interface TicketShelf {
  /** Keeps it for so long. */
  put(key: string, issued: string, forMs: number): Promise<void>
  /** Gives it to one of those who ask, and to nobody after that. */
  take(key: string): Promise<string | null>
}

interface Issued<Holder> {
  readonly holder: Holder
  readonly until: number
}

/** Tickets on a shelf, which never sees a ticket itself; each kind opens its own sockets only. */
export const ticketsOn =
  (shelf: TicketShelf, now: () => number): OpenTickets =>
  <Holder extends AnyHolder>(kind: string): Tickets<Holder> => {
    const keyOf = (ticket: string): string => `ticket:${kind}:${hashOfToken(ticket)}`
    return {
      async issue(holder) {
        const ticket = randomBytes(32).toString('base64url')
        const issued: Issued<Holder> = { holder, until: now() + tokenLimits.ticketMs }
        await shelf.put(keyOf(ticket), JSON.stringify(issued), tokenLimits.ticketMs)
        return ticket
      },
      async redeem(ticket, purpose) {
        const found = await shelf.take(keyOf(ticket))
        if (found === null) return null
        const { holder, until }: Issued<Holder> = JSON.parse(found)
        return until > now() && holder.purpose === purpose ? holder : null
      },
    }
  }

/** Keeps tickets in the memory of this process. */
export function createLocalShelf(now: () => number): TicketShelf {
  const kept = new Map<string, { readonly issued: string; readonly until: number }>()

  function forgetExpired(): void {
    for (const [key, { until }] of kept) {
      if (until > now()) return
      kept.delete(key)
    }
  }

  return {
    async put(key, issued, forMs) {
      forgetExpired()
      kept.set(key, { issued, until: now() + forMs })
    },
    async take(key) {
      const found = kept.get(key)
      kept.delete(key)
      return found?.issued ?? null
    },
  }
}
