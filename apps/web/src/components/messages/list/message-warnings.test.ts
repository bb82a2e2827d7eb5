import { type OpenedMessage, openMessage, sealMessage } from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import type { ListedMessage } from '../listed-message.ts'
import { createMessageCache, type DecryptedMessages } from '../message-cache.ts'
import { type MessageRow, rowsOf } from './message-rows.ts'
import { warningsOf } from './message-warnings.ts'

const minute = 60_000
const startedAt = 1_800_000_000_000
const context = {
  root: crypto.getRandomValues(new Uint8Array(32)),
  kind: 'personal',
  contextId: '11111111-1111-4111-8111-111111111111',
} as const

const seal = (text: string, sentAt = startedAt) => sealMessage({ ...context, text, sentAt })

const row = (
  id: string,
  sealed: Pick<ListedMessage, 'encryptedContent' | 'encryptedKey'>,
  createdAt = startedAt,
): ListedMessage => ({ id, ...sealed, createdAt, expiresAt: startedAt + 60 * minute })

/** The rows that a page shows for this list after decrypting it. */
async function show(listed: readonly ListedMessage[], expiredUntil = 0): Promise<readonly MessageRow[]> {
  const open = (message: ListedMessage): Promise<OpenedMessage> => openMessage({ ...context, ...message })
  const cache = createMessageCache(open)
  cache.decrypt(listed)
  await until(() => listed.every(({ id }) => cache.current().has(id)))
  return rowsOf({ listed, decrypted: cache.current(), outgoing: null, expiredUntil })
}

const summaryOf = (rows: readonly MessageRow[]) => rows.map(({ id, text, warning }) => [id, text, warning])

test('a message that the server lists under a second id is marked there', async () => {
  const [payment, other] = await Promise.all([seal('pay 100 to Ben'), seal('pay 100 to Ben')])
  const rows = await show([row('a', payment), row('b', other, startedAt + 1), row('c', payment, startedAt + 2)])

  expect(summaryOf(rows)).toEqual([
    ['a', 'pay 100 to Ben', null],
    ['b', 'pay 100 to Ben', null],
    ['c', 'pay 100 to Ben', 'repeated'],
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3)
})

test('of a repeated message the earliest stays unmarked, in whatever order the server lists them', async () => {
  const sealed = await seal('hello')
  const [first, second, third] = [row('b', sealed), row('c', sealed), row('a', sealed, startedAt + 1)]

  for (const listed of [
    [first, second, third],
    [third, second, first],
  ]) {
    const unmarked = (await show(listed)).filter(({ warning }) => warning === null)
    expect(unmarked.map(({ id }) => id)).toEqual(['b'])
  }
})

test('one id that is listed twice is one message', async () => {
  const listed = row('a', await seal('hello'))
  expect(summaryOf(await show([listed, listed]))).toEqual([['a', 'hello', null]])
})

test('a repeated message stays marked when the first one has expired, and keeps the mark of its time', async () => {
  const sealed = await seal('hello')
  const first = { ...row('a', sealed), expiresAt: startedAt + minute }
  const rows = await show([first, row('b', sealed, startedAt + 6 * minute)], startedAt + minute)

  expect(rows).toMatchObject([{ id: 'b', warning: 'repeated', isByDeviceClock: true, time: startedAt }])
})

test('an unreadable message with the key of another one marks nothing', async () => {
  const [sealed, other] = await Promise.all([seal('hello'), seal('bye')])
  const madeUp = row('a', { ...sealed, encryptedContent: other.encryptedContent }, startedAt - 1)

  expect(summaryOf(await show([madeUp, row('b', sealed)]))).toEqual([
    ['a', null, null],
    ['b', 'hello', null],
  ])
})

/** Messages of one session by the epoch of their key and the seconds after the first one. */
function warningsAfter(messages: readonly (readonly [epoch: number, seconds: number])[]) {
  const listed = messages.map(([, seconds], index) => ({
    ...row(`${index}`, { encryptedContent: '', encryptedKey: `key ${index}` }),
    createdAt: startedAt + seconds * 1000,
  }))
  const decrypted: DecryptedMessages = new Map(
    messages.map(([keyEpoch], index) => [`${index}`, { text: 'hello', sentAt: startedAt, keyEpoch }]),
  )
  const warnings = warningsOf(listed, decrypted)
  return listed.map(({ id }) => warnings.get(id) ?? null)
}

test('a message more than a minute after the first one under a newer key is marked', () => {
  const sent = [
    [0, 0],
    [1, 10],
    [0, 70],
    [0, 71],
    [1, 72],
  ] as const
  expect(warningsAfter(sent)).toEqual([null, null, null, 'oldKey', null])
})

test('after a second removal the keys before it are marked, each from its own minute on', () => {
  const sent = [
    [2, 0],
    [1, 30],
    [0, 60],
    [1, 61],
    [0, 62],
  ] as const
  expect(warningsAfter(sent)).toEqual([null, null, null, 'oldKey', 'oldKey'])
})
