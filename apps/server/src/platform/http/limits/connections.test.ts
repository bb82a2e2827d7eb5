import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectTo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startWholeServer } from '../../../testing/servers/whole-server.ts'
import { createConnections } from './connections.ts'

/** A server without a network, with connections from any address. */
function createLimitedServer({ connections = 10, connectionsPerAddress = 3, trustedProxies = [] as string[] }) {
  let rejected = 0
  const guarded = createConnections({
    limits: { connections, connectionsPerAddress },
    trustedProxies,
    onRejected: () => {
      rejected += 1
    },
  })
  const server = createServer()
  guarded.guard(server)
  const connect = (remoteAddress: string) => {
    const events = new EventEmitter()
    const socket = Object.assign(events, {
      remoteAddress,
      destroyed: false,
      destroy() {
        socket.destroyed = true
        events.emit('close')
      },
    })
    server.emit('connection', socket as unknown as Socket)
    return socket
  }
  return { connect, open: guarded.open, rejected: () => rejected }
}

const openOf = (sockets: readonly { readonly destroyed: boolean }[]) => sockets.map(({ destroyed }) => !destroyed)

test('the number of connections per address is limited until one of them is closed', () => {
  const { connect, rejected } = createLimitedServer({})
  const sockets = [1, 2, 3, 4].map(() => connect('203.0.113.7'))
  const other = connect('203.0.113.8')
  sockets[0]?.destroy()
  const again = connect('203.0.113.7')

  expect(openOf(sockets)).toEqual([false, true, true, false])
  expect(openOf([other, again])).toEqual([true, true])
  expect(rejected()).toBe(1)
})

test('addresses of one IPv6 network are counted together by /64, /56 and /48', () => {
  const { connect } = createLimitedServer({ connections: 100 })
  const count = (addressOf: (index: number) => string) =>
    Array.from({ length: 40 }, (_, index) => connect(addressOf(index))).filter(({ destroyed }) => !destroyed).length

  expect(count((index) => `2001:db8:1:100::${index + 1}`)).toBe(3)
  expect(count((index) => `2001:db8:2:1${index + 10}::1`)).toBe(6)
  expect(count((index) => `2001:db8:3:${index + 10}00::1`)).toBe(12)
})

test('trusted proxies have no limit per address; other local addresses do', () => {
  const { connect } = createLimitedServer({
    connections: 100,
    trustedProxies: ['198.51.100.0/24', '127.0.0.1', 'linklocal'],
  })
  const count = (address: string) =>
    [1, 2, 3, 4].map(() => connect(address)).filter(({ destroyed }) => !destroyed).length

  expect(['198.51.100.9', '127.0.0.1', '169.254.1.1'].map(count)).toEqual([4, 4, 4])
  expect(['127.1.0.1', '192.168.1.7', '203.0.113.9'].map(count)).toEqual([3, 3, 3])
})

test('at the limit of the process only the newest connection of the heaviest caller is evicted', () => {
  const { connect, open } = createLimitedServer({ connections: 6, connectionsPerAddress: 5 })
  const heavy = [1, 2, 3, 4].map(() => connect('203.0.113.1'))
  const light = [connect('203.0.113.2'), connect('203.0.113.3')]

  const newcomer = connect('203.0.113.4')
  const greedy = connect('203.0.113.1')

  expect(openOf(heavy)).toEqual([true, true, true, false])
  expect(openOf(light)).toEqual([true, true])
  expect([newcomer.destroyed, greedy.destroyed, open()]).toEqual([false, true, 6])
})

test('a server keeps at most its limit of connections open and responds on those', async () => {
  const limit = 20
  const server = await startWholeServer({}, undefined, { connections: limit })
  const sockets = Array.from({ length: 2 * limit }, () => connectTo({ port: server.port, host: '127.0.0.1' }))
  const ended = new Set<Socket>()
  for (const socket of sockets) socket.on('error', () => undefined).on('close', () => ended.add(socket))

  await expect.poll(() => sockets.length - ended.size).toBe(limit)
  const [open] = sockets.filter((socket) => !ended.has(socket))
  open?.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = await new Promise((resolve) => open?.once('data', resolve))

  expect(String(answer)).toContain('200 OK')
  for (const socket of sockets) socket.destroy()
  await server.stop()
})
