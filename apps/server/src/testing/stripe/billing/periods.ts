import type { Stripe } from 'stripe'

const daySeconds = 24 * 60 * 60

/** Returns the end of the period that begins at a time; months are counted from the anchor, and end with a shorter month. */
export function periodEndAfter(
  start: number,
  anchor: number,
  { interval, interval_count }: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>,
): number {
  if (interval === 'day') return start + interval_count * daySeconds
  if (interval === 'week') return start + interval_count * 7 * daySeconds
  const step = interval === 'year' ? 12 * interval_count : interval_count
  let months = step
  while (addMonths(anchor, months) <= start) months += step
  return addMonths(anchor, months)
}

function addMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}
