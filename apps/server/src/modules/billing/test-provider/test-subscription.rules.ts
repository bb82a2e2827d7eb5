import type { SubscriptionSnapshot } from '../subscription.rules.ts'

interface TestSubscription {
  readonly priceCents: number
  readonly quantity: number
  readonly startedAt: number
  /** The end of the period in which it was cancelled; null until then. */
  readonly endsAt: number | null
}

const dayMs = 24 * 60 * 60 * 1000

/** The state of a subscription that is paid each month until it ends. */
export function describeTestSubscription(
  { priceCents, quantity, startedAt, endsAt }: TestSubscription,
  now: number,
): SubscriptionSnapshot {
  const hasEnded = endsAt !== null && endsAt <= now
  const { start, end } = periodAt(startedAt, hasEnded ? endsAt - 1 : now)
  return {
    status: hasEnded ? 'canceled' : 'active',
    priceCents,
    quantity,
    periodStart: start,
    periodEnd: end,
    cancelsAtPeriodEnd: endsAt !== null,
    endedAt: hasEnded ? endsAt : null,
    customerId: null,
  }
}

interface Addition {
  readonly additionalSeats: number
  /** Per month for one seat. */
  readonly priceCents: number
  readonly periodStart: number
  readonly periodEnd: number
  /** When the rest of the period begins. */
  readonly at: number
}

/** What additional seats cost for the rest of a period, by the second and rounded to the nearest cent. */
export function prorate({ additionalSeats, priceCents, periodStart, periodEnd, at }: Addition): number {
  const restSeconds = Math.floor((periodEnd - at) / 1000)
  const periodSeconds = (periodEnd - periodStart) / 1000
  // Whole numbers are divided last, so that half a cent is exactly that.
  return Math.round((additionalSeats * priceCents * restSeconds) / periodSeconds)
}

/** The period that contains this time. */
function periodAt(startedAt: number, time: number): { readonly start: number; readonly end: number } {
  let count = 0
  while (addMonths(startedAt, count + 1) <= time) count += 1
  return { start: addMonths(startedAt, count), end: addMonths(startedAt, count + 1) }
}

/** The month that ends at this time or, where the month before has no such day, at the first later one. */
export function periodUntil(time: number): { readonly start: number; readonly end: number } {
  let end = time
  while (addMonths(addMonths(end, -1), 1) !== end) end += dayMs
  return { start: addMonths(end, -1), end }
}

/** The same day of a later month in UTC, or the last one if that month is shorter. */
function addMonths(time: number, months: number): number {
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
