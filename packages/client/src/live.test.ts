import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { ApiError, NetworkError } from './errors.ts'
import { accountTickets, openLiveChannel } from './live.ts'
import { createManualClock } from './testing/manual-clock.ts'

/** The four handlers and the one method the channel uses. */
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

function startLive({ refuse = () => undefined as Error | undefined } = {}) {
  const clock = createManualClock()
  const sockets: { url: string; socket: ReturnType<typeof fakeSocket> }[] = []
  let tickets = 0
  const call = (async () => {
    const refusal = refuse()
    tickets += 1
    if (refusal) throw refusal
    return { success: true, ticket: `ticket-${tickets}` }
  }) as unknown as Call
  const channel = openLiveChannel({
    askTicket: accountTickets(call),
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
  const say = (event: unknown) => sockets.at(-1)?.socket.onmessage({ data: JSON.stringify(event) })
  return { clock, sockets, channel, events, say, asked: () => tickets }
}

const deleted = { type: 'file.deleted', id: '00000000-0000-4000-8000-000000000001' }

test('FIL-11 events arrive parsed, and what is not known is left out', async () => {
  const { clock, sockets, events, say } = startLive()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  say({ type: 'ready' })
  say({ ...deleted, more: 1 })
  say({ type: 'something.new' })
  sockets[0]?.socket.onmessage({ data: 'no json' })

  expect(sockets[0]?.url).toBe('wss://server.test/api/live?ticket=ticket-1')
  expect(events).toEqual([{ type: 'ready' }, deleted])
})

test('a connection that ends is made again within two seconds, with a ticket of its own', async () => {
  const { clock, sockets } = startLive()
  await clock.advance(0)
  sockets[0]?.socket.onopen()
  sockets[0]?.socket.onclose()

  await clock.advance(1999)
  const early = sockets.length
  await clock.advance(1)

  expect(early).toBe(1)
  expect(sockets.map(({ url }) => url.slice(-8))).toEqual(['ticket-1', 'ticket-2'])
})

test('a server that stays away is asked less and less often, at most every 30 seconds', async () => {
  const { clock } = startLive({ refuse: () => new NetworkError() })

  await clock.advance(150_000)

  expect(clock.waits.slice(0, 6)).toEqual([4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('a sign-in that is over ends the channel', async () => {
  const { clock, asked } = startLive({
    refuse: () => new ApiError({ status: 401, code: 'SESSION_EXPIRED', message: 'Over' }),
  })

  await clock.advance(600_000)

  expect(asked()).toBe(1)
})

test('a sign-in that is revoked is told and ends the channel', async () => {
  const { clock, sockets, events, say } = startLive()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  say({ type: 'account.revoked' })
  await clock.advance(600_000)

  expect(events).toEqual([{ type: 'account.revoked' }])
  expect(sockets).toHaveLength(1)
  expect(sockets[0]?.socket.closed).toBe(true)
})

test('closing the channel closes its socket for good', async () => {
  const { clock, sockets, channel } = startLive()
  await clock.advance(0)
  sockets[0]?.socket.onopen()

  channel.close()
  await clock.advance(600_000)

  expect(sockets[0]?.socket.closed).toBe(true)
  expect(sockets).toHaveLength(1)
})

test('FIL-11 whoever polls is told whether the server was heard lately', async () => {
  const { clock, channel, say } = startLive()
  await clock.advance(0)
  const before = channel.heardWithin(60_000)
  say({ type: 'ready' })

  await clock.advance(30_000)

  expect(before).toBe(false)
  expect(channel.heardWithin(30_000)).toBe(true)
  expect(channel.heardWithin(29_999)).toBe(false)
})

test('T204 of 2,000 pages whose server was away for 20 s each comes back within 60 s, and never many in one second', async () => {
  let isAway = false
  let opened = 0
  const ends: (() => unknown)[] = []
  const clocks = Array.from({ length: 2000 }, () => {
    const clock = createManualClock()
    openLiveChannel({
      askTicket: async () => 'ticket',
      origin: 'https://server.test',
      clock,
      openSocket() {
        const socket = fakeSocket()
        setImmediate(() => {
          if (isAway) return socket.onclose()
          opened += 1
          ends.push(() => socket.onclose())
          return socket.onopen()
        })
        return socket as unknown as WebSocket
      },
    })
    return clock
  })
  const nextSecond = async (): Promise<number> => {
    const before = opened
    await Promise.all(clocks.map((clock) => clock.advance(1000)))
    return opened - before
  }
  await nextSecond()
  expect(opened).toBe(2000)

  isAway = true
  for (const end of ends) end()
  for (let second = 0; second < 20; second += 1) await nextSecond()
  isAway = false
  const each: number[] = []
  while (opened < 4000 && each.length < 60) each.push(await nextSecond())

  const pauses = clocks.flatMap(({ waits }) => waits)
  expect(opened).toBe(4000)
  expect(Math.max(...each)).toBeLessThan(400)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000)
  expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(1000)
})
