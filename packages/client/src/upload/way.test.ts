import { expect, test } from 'vitest'
import type { SendOutcome } from './seal-lane.ts'
import { createWayKeeper } from './way.ts'

const answered = (status: number, body = ''): SendOutcome => ({ kind: 'answered', status, body, retryAfter: null })
const page = '<html>No</html>'
const refusal = (code: string) => JSON.stringify({ success: false, error: 'No', code })
const unreachable: SendOutcome = { kind: 'unreachable' }

test.each([
  [413, page],
  [403, page],
  [400, ''],
  [200, page],
])('FIL-07 an answer %i that is not the server’s own leads to the other way at once', (status, body) => {
  const ways = createWayKeeper()

  const isWorthAnother = ways.learn('request', answered(status, body))

  expect([isWorthAnother, ways.current()]).toEqual([true, 'socket'])
})

test.each([
  [413, refusal('STORAGE_LIMIT')],
  [404, refusal('UPLOAD_NOT_FOUND')],
  [401, page],
  [429, page],
  [502, page],
  [200, '{"success":true}'],
])('FIL-07 an answer %i of the server itself, or one that passes, changes nothing', (status, body) => {
  const ways = createWayKeeper()

  const isWorthAnother = ways.learn('request', answered(status, body))

  expect([isWorthAnother, ways.current()]).toEqual([false, 'request'])
})

test('FIL-07 a way on which one chunk was cut off twice is left, and taken again when the other is no better', () => {
  const ways = createWayKeeper()
  const seen = []
  for (const outcome of [unreachable, answered(200, '{}'), unreachable, unreachable, unreachable, unreachable]) {
    ways.learn(ways.current(), outcome)
    seen.push(ways.current())
  }

  expect(seen).toEqual(['request', 'request', 'request', 'socket', 'socket', 'request'])
})

test('FIL-07 whoever was refused by requests and found no socket is not sent to and fro', () => {
  const ways = createWayKeeper()
  ways.learn('request', answered(413, page))
  ways.learn('socket', unreachable)
  ways.learn('socket', unreachable)

  const isWorthAnother = ways.learn('request', answered(413, page))

  expect([isWorthAnother, ways.current()]).toEqual([false, 'request'])
})

test('FIL-07 what several chunks at once are told is learned once', () => {
  const ways = createWayKeeper()

  const worth = [1, 2, 3].map(() => ways.learn('request', answered(413, page)))

  expect([worth, ways.current()]).toEqual([[true, true, true], 'socket'])
})

test('FIL-07 a page can be told to begin with sockets', () => {
  expect(createWayKeeper('socket').current()).toBe('socket')
})
