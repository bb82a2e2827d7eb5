import { licenceLimits } from '@sallyport/contract/limits'
import type { OrganizationStatus } from '@sallyport/contract/organization-roles'

/** A subscription to seats, as far as it decides how many there are. */
export interface SeatSubscription {
  readonly quantity: number
  readonly priceCents: number
  readonly cancelsAtPeriodEnd: boolean
  readonly isOverdue: boolean
  readonly periodEnd: number
  /** Epoch ms; null if it gives no plan. */
  readonly planEnd: number | null
}

/** Seats that the owner was granted by a link, a key or an admin. */
export interface SeatGrant {
  /** Null for the usual number. */
  readonly seats: number | null
  /** Epoch ms; null means unlimited. */
  readonly expiresAt: number | null
}

export interface SeatSources {
  /** Null if none was ever bought. */
  readonly subscription: SeatSubscription | null
  readonly grants: readonly SeatGrant[]
}

export interface Seats {
  readonly status: OrganizationStatus
  /** When the last seat ends or, if it has ended, when it did; null while they are renewed or have no end. */
  readonly endsAt: number | null
  readonly total: number
  readonly granted: number
  readonly seatCents: number
  readonly monthlyCents: number
  /** Whether what is paid for ends with its period. */
  readonly cancels: boolean
}

const isLater = (end: number | null, now: number): boolean => end === null || end > now

/** The seats of an organization at a time, and the state of what gives them. */
export function seatsAt({ subscription, grants }: SeatSources, now: number): Seats {
  const isPaid = subscription !== null && subscription.planEnd !== null && subscription.planEnd > now
  const bought = isPaid ? subscription.quantity : 0
  const active = grants.filter(({ expiresAt }) => isLater(expiresAt, now))
  const granted = active.reduce((sum, { seats }) => sum + (seats ?? licenceLimits.fewestSeats), 0)
  const seatCents = subscription?.priceCents ?? licenceLimits.paid.seatCents
  const cancels = isPaid && subscription.cancelsAtPeriodEnd
  const counts = { total: bought + granted, granted, seatCents, monthlyCents: bought * seatCents, cancels }
  if (!isPaid && active.length === 0) {
    return { status: 'ended', endsAt: seatEndOf({ subscription, grants }) ?? null, ...counts }
  }
  if (isPaid && subscription.isOverdue) return { status: 'past_due', endsAt: subscription.planEnd, ...counts }
  if ((isPaid && !subscription.cancelsAtPeriodEnd) || active.some(({ expiresAt }) => expiresAt === null)) {
    return { status: 'active', endsAt: null, ...counts }
  }
  return { status: 'ending', endsAt: seatEndOf({ subscription, grants }) ?? null, ...counts }
}

/** When the seat of a member ends: with the last of the sources. Null means unlimited, undefined that there never was one. */
export function seatEndOf({ subscription, grants }: SeatSources): number | null | undefined {
  const ends = grants.map(({ expiresAt }) => expiresAt)
  if (subscription && subscription.planEnd !== null) ends.push(subscription.planEnd)
  if (ends.length === 0) return undefined
  const known = ends.filter((end) => end !== null)
  return known.length < ends.length ? null : Math.max(...known)
}
