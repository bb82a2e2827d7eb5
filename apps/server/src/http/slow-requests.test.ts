import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../testing/databases.ts'
import { startStopwatch } from '../testing/stopwatch.ts'
import { startStoring, until } from '../testing/storing-server.ts'

const drippers = 500
/** Of the dripping connections: one address holds a bounded number of them. */
const addresses = 5
const headersMs = 3000

onEmbeddedDatabase(
  `T133 ${drippers} connections that drip headers are closed in time, and others are answered meanwhile`,
  async (stage) => {
    const { app, listen } = await startStoring(stage)
    const { server } = app
    const own = { headersMs: server.headersTimeout, checkMs: Reflect.get(server, 'connectionsCheckingInterval') }
    // The same in less time.
    server.headersTimeout = headersMs
    Reflect.set(server, 'connectionsCheckingInterval', headersMs / 4)
    const port = await listen()
    const sockets = await Promise.all(
      Array.from({ length: drippers }, (_, index) => open(port, `127.3.0.${1 + (index % addresses)}`)),
    )
    const elapsed = await startStopwatch()
    const answers = sockets.map((socket) => drip(socket, elapsed))

    const waits: number[] = []
    while (elapsed() < headersMs) {
      const waited = await startStopwatch()
      const { status } = await fetch(`http://127.0.0.1:${port}/api/upload`, { method: 'HEAD' })
      expect(status).toBe(200)
      waits.push(waited())
      // A quick machine would otherwise ask more often than one address may.
      await pause(20)
    }
    const said = await Promise.all(answers)

    expect(own.headersMs).toBeGreaterThan(0)
    expect(own.headersMs + own.checkMs).toBeLessThanOrEqual(30_000)
    for (const { answer, closedAt } of said) {
      expect(answer).toMatch(/^HTTP\/1\.1 4/)
      expect(closedAt).toBeLessThan(headersMs + 4000)
    }
    waits.sort((one, other) => one - other)
    expect(waits.length).toBeGreaterThan(5)
    expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThan(500)
    await app.close()
  },
)

onEmbeddedDatabase('T133 who says nothing, or no HTTP, and holds on to the connection loses it', async (stage) => {
  const { app, listen } = await startStoring(stage)
  app.server.headersTimeout = headersMs
  Reflect.set(app.server, 'connectionsCheckingInterval', headersMs / 4)
  const port = await listen()
  const [silent, babbling] = await Promise.all([open(port), open(port)])
  for (const socket of [silent, babbling]) socket.resume().on('error', () => undefined)
  await until(async () => (await connectionsOf(app.server)) === 2)

  babbling.write('this is no request\r\n\r\n')

  await until(async () => (await connectionsOf(app.server)) === 0)
  for (const socket of [silent, babbling]) socket.destroy()
  await app.close()
})

const open = (port: number, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Sends one header line after the other, and tells what came of it, and when by this stopwatch. */
async function drip(socket: Socket, elapsed: () => number): Promise<{ answer: string; closedAt: number }> {
  let answer = ''
  let closedAt = 0
  socket.on('error', () => undefined)
  socket.on('data', (piece: Buffer) => {
    answer += piece.toString()
  })
  socket.on('close', () => {
    closedAt = elapsed()
  })
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  for (let line = 0; closedAt === 0; line += 1) {
    if (socket.writable) socket.write(`X-Drip-${line}: a\r\n`)
    await pause(100)
  }
  return { answer, closedAt }
}

const connectionsOf = (server: { getConnections(tell: (error: Error | null, count: number) => void): unknown }) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
