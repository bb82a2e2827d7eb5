import type { Stripe } from 'stripe'
import { invalidRequest } from './stripe-error.ts'

interface PagingParams {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly ending_before?: string | undefined
}

const defaultLimit = 10

/** A complete list, as it is part of other objects. */
export const listOf = <Entry>(data: Entry[], url: string): Stripe.ApiList<Entry> => ({
  object: 'list',
  data,
  has_more: false,
  url,
})

/** One page of the entries, which are given oldest first and answered newest first. */
export function pageOf<Entry extends { readonly id: string }>(
  entries: Iterable<Entry>,
  url: string,
  { limit = defaultLimit, starting_after, ending_before }: PagingParams,
): Stripe.ApiList<Entry> {
  const all = [...entries].reverse()
  const indexOf = (id: string, param: string): number => {
    const index = all.findIndex((entry) => entry.id === id)
    if (index === -1) throw invalidRequest(`No such object: '${id}'`, param, 'resource_missing')
    return index
  }
  if (ending_before !== undefined) {
    const end = indexOf(ending_before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url }
  }
  const start = starting_after === undefined ? 0 : indexOf(starting_after, 'starting_after') + 1
  return { object: 'list', data: all.slice(start, start + limit), has_more: start + limit < all.length, url }
}

interface TimeRange {
  readonly gt?: number | undefined
  readonly gte?: number | undefined
  readonly lt?: number | undefined
  readonly lte?: number | undefined
}

/** Whether a time is the one that was asked for, or in that range. */
export function isInRange(time: number, range: TimeRange | number | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return time === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return time > gt && time >= gte && time < lt && time <= lte
}
