import { createHash, randomBytes } from 'node:crypto'
import { tokenLimits } from '@sallyport/contract/limits'
import type { TicketPurpose } from '@sallyport/contract/live'

/** Whom a ticket of the live channel was made for. */
export interface LiveHolder {
  readonly purpose: TicketPurpose
  readonly userId: string
  readonly signInId: string
}

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url')

/** Tickets that open one socket each: sockets cannot send headers, and an address must not carry a bearer token. */
export function createTickets<Holder extends { readonly purpose: string } = LiveHolder>(now: () => number) {
  const issued = new Map<string, { holder: Holder; until: number }>()

  function forgetExpired(): void {
    for (const [hash, { until }] of issued) {
      if (until > now()) return
      issued.delete(hash)
    }
  }

  return {
    issue(holder: Holder): string {
      forgetExpired()
      const ticket = randomBytes(32).toString('base64url')
      issued.set(hashOf(ticket), { holder, until: now() + tokenLimits.ticketMs })
      return ticket
    },
    /** Who the ticket was made for; it is good once, and only for what it was made for. */
    redeem(ticket: string, purpose: Holder['purpose']): Holder | null {
      const hash = hashOf(ticket)
      const found = issued.get(hash)
      issued.delete(hash)
      if (!found || found.until <= now() || found.holder.purpose !== purpose) return null
      return found.holder
    },
  }
}

export interface Tickets<Holder extends { readonly purpose: string } = LiveHolder>
  extends ReturnType<typeof createTickets<Holder>> {}
