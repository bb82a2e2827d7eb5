import { listLimits } from '@sallyport/contract/server-limits'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../../platform/db/schema.ts'
import { allocateStorage } from '../../files/uploads/storage-use.store.ts'

/** The tables of messages: of accounts and of sessions. */
type MessageTable = 'messages' | 'session_messages'
type MessageQuery = SelectQueryBuilder<Tables, MessageTable, object>
export type AccountMessageRow = Selectable<Tables['messages']>
export type SessionMessageRow = Selectable<Tables['session_messages']>

/** Cursors of a page; the newest page without one. */
export interface PageRequest {
  readonly after?: number | undefined
  readonly before?: number | undefined
}

export interface Page<Message> {
  /** Oldest first. */
  readonly messages: Message[]
  readonly before: number | null
  readonly next: number | null
}

/** The columns that both tables have. */
type MessageRow = Pick<AccountMessageRow, 'id' | 'wrapped_key' | 'sealed_text' | 'created_at' | 'bytes'>

const ownerColumns = { messages: 'owner_id', session_messages: 'session_id' } as const

/** The messages of an account or of a session. */
export const selectMessages = (
  executor: Database | DatabaseTransaction,
  table: MessageTable,
  ownerId: string,
): MessageQuery => executor.selectFrom(table).where(ownerColumns[table], '=', ownerId)

/** Reads one page. The sizes alone determine where it ends, so that no further rows are read. */
export async function readPage<Row extends MessageRow>(
  messages: MessageQuery,
  { after, before }: PageRequest,
): Promise<Page<Row>> {
  const isForward = after !== undefined
  const newer = isForward ? messages.where('created_at', '>', after) : messages
  const between = before === undefined ? newer : newer.where('created_at', '<', before)
  const sizes = await between
    .select(['created_at', 'bytes'])
    .orderBy('created_at', isForward ? 'asc' : 'desc')
    .limit(listLimits.pageMessages + 1)
    .execute()
  const fitting = sizes.slice(0, countFitting(sizes))
  const [first, last] = [fitting[0], fitting.at(-1)]
  if (!first || !last) return { messages: [], before: null, next: null }
  const cursor = fitting.length < sizes.length ? last.created_at : null
  const [oldest, newest] = isForward ? [first, last] : [last, first]
  const rows = await messages
    .selectAll()
    .where('created_at', '>=', oldest.created_at)
    .where('created_at', '<=', newest.created_at)
    .orderBy('created_at')
    .limit(listLimits.pageMessages)
    .$castTo<Row>()
    .execute()
  return { messages: rows, before: isForward ? null : cursor, next: isForward ? cursor : null }
}

/** Field names, ids and times of one message in JSON. */
const overheadBytes = 512

/** The number of these messages that fit into one page, at least one. */
function countFitting(sizes: readonly { readonly bytes: number }[]): number {
  let pageBytes = 0
  const overflow = sizes.findIndex(({ bytes }, index) => {
    pageBytes += bytes + overheadBytes
    return index > 0 && (pageBytes > listLimits.pageBytes || index >= listLimits.pageMessages)
  })
  return overflow === -1 ? sizes.length : overflow
}

export interface NewMessage {
  readonly id: string
  readonly wrappedKey: string
  readonly sealedText: string
  /** The sealed name of the sender in a session. */
  readonly sealedName?: string | null
  readonly now: number
}

export interface MessageLimits {
  readonly messages: number
  /** The storage limit of the account that the messages count for. */
  readonly storageBytes: number
}

/** A conversation that the transaction has locked. */
interface LockedConversation<Row> {
  /** The account whose storage the messages count for. */
  readonly payerId: string
  readonly messageCount: number
  readonly lastMessageAt: number
  /** The messages that a repeated one is searched in. */
  readonly repeatable: MessageQuery
  readonly insert: (row: MessageRow) => Promise<Row>
}

export type AddMessageResult<Row> =
  | { readonly message: Row; readonly isNew: boolean }
  | { readonly error: 'CONFLICT' | 'TOO_MANY_MESSAGES' | 'STORAGE_LIMIT' }

/** Stores a message once: for the same message again it returns the stored one. */
export async function addMessage<Row extends MessageRow>(
  transaction: DatabaseTransaction,
  { id, wrappedKey, sealedText, sealedName = null, now }: NewMessage,
  limits: MessageLimits,
  { payerId, messageCount, lastMessageAt, repeatable, insert }: LockedConversation<Row>,
): Promise<AddMessageResult<Row>> {
  const [known] = await repeatable.selectAll().where('wrapped_key', '=', wrappedKey).$castTo<Row>().execute()
  if (known) {
    const isExpired = 'expires_at' in known && Number(known.expires_at) <= now
    const isSame = known.sealed_text === sealedText && !isExpired
    return isSame ? { message: known, isNew: false } : { error: 'CONFLICT' }
  }
  if (messageCount >= limits.messages) return { error: 'TOO_MANY_MESSAGES' }
  const bytes = bytesInJson(wrappedKey, sealedText, sealedName)
  const isFree = await allocateStorage(transaction, { userId: payerId, bytes, limitBytes: limits.storageBytes })
  if (!isFree) return { error: 'STORAGE_LIMIT' }
  const createdAt = Math.max(now, lastMessageAt + 1)
  const row = { id, wrapped_key: wrappedKey, sealed_text: sealedText, created_at: createdAt, bytes }
  return { message: await insert(row), isNew: true }
}

/** Bytes of these texts in a JSON response, where some characters are escaped. */
const bytesInJson = (...texts: readonly (string | null)[]): number =>
  texts.reduce((bytes, text) => bytes + (text === null ? 0 : Buffer.byteLength(JSON.stringify(text)) - 2), 0)
