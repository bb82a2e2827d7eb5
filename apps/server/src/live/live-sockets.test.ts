import { socketLimits } from '@sallyport/contract/server-limits'
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import { onStoringServer, ownOrigin, type StoringServer, until } from '../testing/storing-server.ts'

interface Opening {
  readonly origin?: string
  /** Whether it answers to pings. */
  readonly isThere?: boolean
  /** What a trusted proxy says where it came from. */
  readonly forwardedFor?: string
}

/** Opens a live channel; answers the status it was refused with, or the open socket. */
async function openLive(server: StoringServer, userId: string, opening: Opening = {}) {
  const { origin = ownOrigin, isThere = true, forwardedFor } = opening
  const ticket = await server.tickets.issue({ purpose: 'live', userId, signInId: userId })
  const address = `ws://127.0.0.1:${await server.listen()}/api/live?ticket=${ticket}`
  const socket = new WebSocket(address, {
    origin,
    autoPong: isThere,
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

onStoringServer(
  'T203 a socket whose other side is gone without a word is closed after two pings that it missed',
  async (server) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const ann = await server.aUser()
      const gone = await openLive(server, ann, { isThere: false })
      const there = await openLive(server, ann)

      for (let count = 1; count <= 4; count += 1) {
        vi.advanceTimersByTime(socketLimits.pingEveryMs)
        await until(() => there.pings() === count)
        // The answer to the ping is on its way back: one more round of the line brings it home.
        there.socket.ping()
        await new Promise((resolve) => there.socket.once('pong', resolve))
      }

      await until(() => gone.closeCode() !== null)
      expect(gone.closeCode()).toBe(1006)
      expect(gone.pings()).toBe(2)
      expect(there.closeCode()).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  },
)

onStoringServer('T203 bytes that are no answer to a ping do not keep a socket open', async (server) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { socket, closeCode, pings } = await openLive(server, await server.aUser(), { isThere: false })

    for (let count = 1; count <= 3; count += 1) {
      socket.ping()
      await new Promise((resolve) => socket.once('pong', resolve))
      vi.advanceTimersByTime(socketLimits.pingEveryMs)
      await until(() => pings() === count || count === 3)
    }

    await until(() => closeCode() !== null)
    expect([closeCode(), pings()]).toEqual([1006, 2])
  } finally {
    vi.useRealTimers()
  }
})

onStoringServer('T197 an account holds twenty sockets and no more, until one of them is closed', async (server) => {
  const ann = await server.aUser()
  const open = await Promise.all(Array.from({ length: socketLimits.perAccount }, () => openLive(server, ann)))

  const more = await openLive(server, ann)
  open[0]?.socket.close()
  await until(async () => (await openLive(server, ann)).status === 101)
  const others = await openLive(server, await server.aUser())

  expect(open.map(({ status }) => status)).toEqual(Array(socketLimits.perAccount).fill(101))
  expect([more.status, others.status]).toEqual([429, 101])
})

onStoringServer(
  'T197 people who are signed in behind one address are counted by their accounts alone',
  async (server) => {
    const users = await Promise.all([1, 2, 3].map(() => server.aUser()))
    const statuses = []
    for (let count = 0; count <= socketLimits.perAddress; count += 1) {
      const { status } = await openLive(server, users[count % 3] ?? '', { forwardedFor: '203.0.113.9' })
      statuses.push(status)
    }

    expect(new Set(statuses)).toEqual(new Set([101]))
  },
  { trustedProxies: ['127.0.0.1'] },
)

onStoringServer('T194 a live channel takes no frame beyond 64 KB', async (server) => {
  const { socket, closeCode } = await openLive(server, await server.aUser())
  socket.on('error', () => undefined)

  socket.send(Buffer.alloc(socketLimits.frameBytes + 1))

  await until(() => closeCode() !== null)
  expect(closeCode()).toBe(1009)
})
