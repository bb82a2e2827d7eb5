import { expect, test } from 'vitest'
import type { SendOutcome } from './encrypt-worker.ts'
import { createTransportSelector } from './transport.ts'

const answered = (status: number, body = ''): SendOutcome => ({ kind: 'answered', status, body, retryAfter: null })
const page = '<html>No</html>'
const errorBody = (code: string) => JSON.stringify({ success: false, error: 'No', code })
const unreachable: SendOutcome = { kind: 'unreachable' }

test.each([
  [413, page],
  [403, page],
  [400, ''],
  [200, page],
])('FIL-07 a response %i of an intermediary switches to the other transport at once', (status, body) => {
  const transports = createTransportSelector()

  const isRetryUseful = transports.recordOutcome('request', answered(status, body))

  expect([isRetryUseful, transports.current()]).toEqual([true, 'socket'])
})

test.each([
  [413, errorBody('STORAGE_LIMIT')],
  [404, errorBody('UPLOAD_NOT_FOUND')],
  [401, page],
  [429, page],
  [502, page],
  [200, '{"success":true}'],
])('FIL-07 a response %i of the server itself, or a transient one, changes nothing', (status, body) => {
  const transports = createTransportSelector()

  const isRetryUseful = transports.recordOutcome('request', answered(status, body))

  expect([isRetryUseful, transports.current()]).toEqual([false, 'request'])
})

test('FIL-07 after 2 dropped connections in a row the other transport is tried, and the first again if that is no better', () => {
  const transports = createTransportSelector()
  const seen = []
  for (const outcome of [unreachable, answered(200, '{}'), unreachable, unreachable, unreachable, unreachable]) {
    transports.recordOutcome(transports.current(), outcome)
    seen.push(transports.current())
  }

  expect(seen).toEqual(['request', 'request', 'request', 'socket', 'socket', 'request'])
})

test('FIL-07 after requests were rejected and no socket opened, the transport does not keep switching', () => {
  const transports = createTransportSelector()
  transports.recordOutcome('request', answered(413, page))
  transports.recordOutcome('socket', unreachable)
  transports.recordOutcome('socket', unreachable)

  const isRetryUseful = transports.recordOutcome('request', answered(413, page))

  expect([isRetryUseful, transports.current()]).toEqual([false, 'request'])
})

test('FIL-07 concurrent chunks with the same rejected response switch only once', () => {
  const transports = createTransportSelector()

  const results = [1, 2, 3].map(() => transports.recordOutcome('request', answered(413, page)))

  expect([results, transports.current()]).toEqual([[true, true, true], 'socket'])
})

test('FIL-07 the initial transport can be the socket', () => {
  expect(createTransportSelector('socket').current()).toBe('socket')
})
