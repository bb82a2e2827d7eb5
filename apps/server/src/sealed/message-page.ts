import { listLimits } from '@sallyport/contract/server-limits'

/** Which page: the newest without a cursor. */
export interface PageRequest {
  readonly after?: number | undefined
  readonly before?: number | undefined
}

export interface Page<Item> {
  /** Oldest first. */
  readonly messages: Item[]
  readonly before: number | null
  readonly next: number | null
}

interface MessageSize {
  readonly createdAt: number
  readonly bytes: number
}

interface PageSource<Item> {
  /** Sizes of at most so many messages between the cursors, in this order of time. */
  readonly sizes: (request: PageRequest, order: 'asc' | 'desc', most: number) => Promise<readonly MessageSize[]>
  /** Messages from one time to another, both included, oldest first. */
  readonly read: (from: number, to: number) => Promise<Item[]>
}

/** Field names, ids and times of one message in an answer. */
const bytesBesideText = 512

/** How many of these messages fit into one page; the first one always does. */
function countFitting(sizes: readonly MessageSize[]): number {
  let pageBytes = 0
  const overflow = sizes.findIndex(({ bytes }, index) => {
    pageBytes += bytes + bytesBesideText
    return index > 0 && (pageBytes > listLimits.pageBytes || index >= listLimits.pageMessages)
  })
  return overflow === -1 ? sizes.length : overflow
}

/** Reads one page. No more rows are read than it holds; where it ends is found by their sizes alone. */
export async function readPage<Item>(source: PageSource<Item>, request: PageRequest): Promise<Page<Item>> {
  const isForward = request.after !== undefined
  const sizes = await source.sizes(request, isForward ? 'asc' : 'desc', listLimits.pageMessages + 1)
  const fitting = sizes.slice(0, countFitting(sizes))
  const [first, last] = [fitting[0], fitting.at(-1)]
  if (!first || !last) return { messages: [], before: null, next: null }
  const cursor = fitting.length < sizes.length ? last.createdAt : null
  const [oldest, newest] = isForward ? [first, last] : [last, first]
  return {
    messages: await source.read(oldest.createdAt, newest.createdAt),
    before: isForward ? null : cursor,
    next: isForward ? cursor : null,
  }
}

/** Bytes of these texts in an answer, where some characters are escaped. */
export const bytesInAnswer = (...texts: readonly (string | null)[]): number =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : Buffer.byteLength(JSON.stringify(text)) - 2), 0)
