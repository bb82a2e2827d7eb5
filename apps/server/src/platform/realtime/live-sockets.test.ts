import { socketLimits } from '@sallyport/contract/server-limits'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type FileServer, onFileServer, waitUntil } from '../../testing/servers/file-server.ts'
import { ownOrigin } from '../../testing/servers/test-context.ts'

interface OpenLiveOptions {
  readonly origin?: string
  /** Whether it answers pings. */
  readonly autoPong?: boolean
  /** The X-Forwarded-For header of a trusted proxy. */
  readonly forwardedFor?: string
}

/** Opens a live channel; returns the status of the upgrade, and the open socket. */
async function openLive(server: FileServer, userId: string, options: OpenLiveOptions = {}) {
  const { origin = ownOrigin, autoPong = true, forwardedFor } = options
  const ticket = await server.tickets.issue({ purpose: 'live', userId, authSessionId: userId })
  const address = `ws://127.0.0.1:${await server.listen()}/api/live?ticket=${ticket}`
  const socket = new WebSocket(address, {
    origin,
    autoPong: autoPong,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })
  let closeCode: number | null = null
  let pings = 0
  socket.on('ping', () => {
    pings += 1
  })
  socket.on('close', (code) => {
    closeCode = code
  })
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    socket.once('error', reject)
  })
  return { socket, status, closeCode: () => closeCode, pings: () => pings }
}

onFileServer('T203 a socket whose client vanished is closed after 2 missed pings', async (server) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const ann = await server.createUser()
    const silent = await openLive(server, ann, { autoPong: false })
    const responsive = await openLive(server, ann)

    for (let count = 1; count <= 4; count += 1) {
      vi.advanceTimersByTime(socketLimits.pingEveryMs)
      await waitUntil(() => responsive.pings() === count)
      // One more round trip makes sure that it has arrived.
      responsive.socket.ping()
      await new Promise((resolve) => responsive.socket.once('pong', resolve))
    }

    await waitUntil(() => silent.closeCode() !== null)
    expect(silent.closeCode()).toBe(1006)
    expect(silent.pings()).toBe(2)
    expect(responsive.closeCode()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

onFileServer('T203 bytes other than a pong do not keep a socket open', async (server) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { socket, closeCode, pings } = await openLive(server, await server.createUser(), { autoPong: false })

    for (let count = 1; count <= 3; count += 1) {
      socket.ping()
      await new Promise((resolve) => socket.once('pong', resolve))
      vi.advanceTimersByTime(socketLimits.pingEveryMs)
      await waitUntil(() => pings() === count || count === 3)
    }

    await waitUntil(() => closeCode() !== null)
    expect([closeCode(), pings()]).toEqual([1006, 2])
  } finally {
    vi.useRealTimers()
  }
})

onFileServer('T197 an account holds at most 20 sockets, and closing one allows another', async (server) => {
  const ann = await server.createUser()
  const open = await Promise.all(Array.from({ length: socketLimits.perAccount }, () => openLive(server, ann)))

  const more = await openLive(server, ann)
  open[0]?.socket.close()
  await waitUntil(async () => (await openLive(server, ann)).status === 101)
  const others = await openLive(server, await server.createUser())

  expect(open.map(({ status }) => status)).toEqual(Array(socketLimits.perAccount).fill(101))
  expect([more.status, others.status]).toEqual([429, 101])
})

onFileServer(
  'T197 signed-in users behind one address are counted by account only',
  async (server) => {
    const users = await Promise.all([1, 2, 3].map(() => server.createUser()))
    const statuses = []
    for (let count = 0; count <= socketLimits.perAddress; count += 1) {
      const { status } = await openLive(server, users[count % 3] ?? '', { forwardedFor: '203.0.113.9' })
      statuses.push(status)
    }

    expect(new Set(statuses)).toEqual(new Set([101]))
  },
  { trustedProxies: ['127.0.0.1'] },
)

onFileServer('T194 a live channel accepts no frame over 64 KB', async (server) => {
  const { socket, closeCode } = await openLive(server, await server.createUser())
  socket.on('error', () => undefined)

  socket.send(Buffer.alloc(socketLimits.frameBytes + 1))

  await waitUntil(() => closeCode() !== null)
  expect(closeCode()).toBe(1009)
})
