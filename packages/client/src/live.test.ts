import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { createAccountTicketGetter, openLiveChannel } from './live.ts'
import { createManualClock } from './testing/manual-clock.ts'

/** A WebSocket with the three handlers and the one method that the channel uses. */
function fakeSocket() {
  const socket = {
    onopen: () => undefined as unknown,
    onmessage: (_: { data: unknown }) => undefined as unknown,
    onclose: () => undefined as unknown,
    closed: false,
    close() {
      socket.closed = true
      socket.onclose()
    },
  }
  return socket
}

function openTestChannel({ reject = () => undefined as Error | undefined } = {}) {
  const clock = createManualClock()
  const sockets: { url: string; socket: ReturnType<typeof fakeSocket> }[] = []
  let tickets = 0
  const call = (async () => {
    const error = reject()
    tickets += 1
    if (error) throw error
    return { success: true, ticket: `ticket-${tickets}` }
  }) as unknown as Call
  const channel = openLiveChannel({
    getTicket: createAccountTicketGetter(call),
    origin: 'https://server.test',
    clock,
    random: () => 1,
    openSocket(url) {
      const socket = fakeSocket()
      sockets.push({ url, socket })
      return socket as unknown as WebSocket
    },
  })
  const events: unknown[] = []
  channel.subscribe((event) => events.push(event))
  const receive = (event: unknown) => sockets.at(-1)?.socket.onmessage({ data: JSON.stringify(event) })
  return { clock, sockets, channel, events, receive, ticketCount: () => tickets }
}

const deleted = { type: 'file.deleted', id: '00000000-0000-4000-8000-000000000001' }

test('FIL-11 events arrive parsed; unknown ones are ignored', async () => {
  const { clock, sockets, events, receive } = openTestChannel()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  receive({ type: 'ready' })
  receive({ ...deleted, more: 1 })
  receive({ type: 'something.new' })
  sockets[0]?.socket.onmessage({ data: 'no json' })

  expect(sockets[0]?.url).toBe('wss://server.test/api/live?ticket=ticket-1')
  expect(events).toEqual([{ type: 'ready' }, deleted])
})

test('a closed connection is reopened within 2 s with a new ticket', async () => {
  const { clock, sockets } = openTestChannel()
  await clock.advance(0)
  sockets[0]?.socket.onopen()
  sockets[0]?.socket.onclose()

  await clock.advance(1999)
  const early = sockets.length
  await clock.advance(1)

  expect(early).toBe(1)
  expect(sockets.map(({ url }) => url.slice(-8))).toEqual(['ticket-1', 'ticket-2'])
})

test('an unreachable server is retried with exponential backoff up to 30 s', async () => {
  const { clock } = openTestChannel({ reject: () => new NetworkError() })

  await clock.advance(150_000)

  expect(clock.waits.slice(0, 6)).toEqual([4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('an expired auth session closes the channel', async () => {
  const { clock, ticketCount } = openTestChannel({
    reject: () => new ApiError({ status: 401, code: 'SESSION_EXPIRED', serverMessage: 'Over' }),
  })

  await clock.advance(600_000)

  expect(ticketCount()).toBe(1)
})

test('a revoked auth session publishes the event and closes the channel', async () => {
  const { clock, sockets, events, receive } = openTestChannel()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  receive({ type: 'account.revoked' })
  await clock.advance(600_000)

  expect(events).toEqual([{ type: 'account.revoked' }])
  expect(sockets).toHaveLength(1)
  expect(sockets[0]?.socket.closed).toBe(true)
})

test('closing the channel closes its socket and does not reconnect', async () => {
  const { clock, sockets, channel } = openTestChannel()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  channel.close()
  await clock.advance(600_000)

  expect(sockets[0]?.socket.closed).toBe(true)
  expect(sockets).toHaveLength(1)
})

test('FIL-11 pollers can check whether the server sent an event recently', async () => {
  const { clock, channel, receive } = openTestChannel()
  await clock.advance(0)
  const before = channel.receivedWithin(60_000)
  receive({ type: 'ready' })

  await clock.advance(30_000)

  expect(before).toBe(false)
  expect(channel.receivedWithin(30_000)).toBe(true)
  expect(channel.receivedWithin(29_999)).toBe(false)
})

test('T204 of 2,000 pages each reconnects within 60 s of a 20 s outage, fewer than 400 in any second', async () => {
  let isDown = false
  let opened = 0
  const closeSocket: (() => unknown)[] = []
  const clocks = Array.from({ length: 2000 }, () => {
    const clock = createManualClock()
    openLiveChannel({
      getTicket: async () => 'ticket',
      origin: 'https://server.test',
      clock,
      openSocket() {
        const socket = fakeSocket()
        setImmediate(() => {
          if (isDown) return socket.onclose()
          opened += 1
          closeSocket.push(() => socket.onclose())
          return socket.onopen()
        })
        return socket as unknown as WebSocket
      },
    })
    return clock
  })
  const advanceSecond = async (): Promise<number> => {
    const before = opened
    await Promise.all(clocks.map((clock) => clock.advance(1000)))
    return opened - before
  }
  await advanceSecond()
  expect(opened).toBe(2000)

  isDown = true
  for (const close of closeSocket) close()
  for (let second = 0; second < 20; second += 1) await advanceSecond()
  isDown = false
  const openedPerSecond: number[] = []
  while (opened < 4000 && openedPerSecond.length < 60) openedPerSecond.push(await advanceSecond())

  const delays = clocks.flatMap(({ waits }) => waits)
  expect(opened).toBe(4000)
  expect(Math.max(...openedPerSecond)).toBeLessThan(400)
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...delays)).toBeLessThanOrEqual(30_000)
  expect(new Set(delays.map(Math.round)).size).toBeGreaterThan(1000)
})
