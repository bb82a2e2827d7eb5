import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { onEmbeddedDatabase } from '../../testing/engines/databases.ts'
import { startFileServer, waitUntil } from '../../testing/servers/file-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'

const slowConnections = 500
/** Source addresses of the slow connections, because connections per address are limited. */
const addresses = 5
const headersMs = 3000

onEmbeddedDatabase(
  `T133 ${slowConnections} connections with slow headers are closed in time, and others are answered meanwhile`,
  async (stage) => {
    const { app, listen } = await startFileServer(stage)
    const { server } = app
    const defaults = { headersMs: server.headersTimeout, checkMs: Reflect.get(server, 'connectionsCheckingInterval') }
    // Shortened for the test.
    server.headersTimeout = headersMs
    Reflect.set(server, 'connectionsCheckingInterval', headersMs / 4)
    const port = await listen()
    const sockets = await Promise.all(
      Array.from({ length: slowConnections }, (_, index) => open(port, `127.3.0.${1 + (index % addresses)}`)),
    )
    const elapsed = await startStopwatch()
    const answers = sockets.map((socket) => sendHeadersSlowly(socket, elapsed))

    const waits: number[] = []
    while (elapsed() < headersMs) {
      const waited = await startStopwatch()
      const { status } = await fetch(`http://127.0.0.1:${port}/api/upload`, { method: 'HEAD' })
      expect(status).toBe(200)
      waits.push(waited())
      // Keeps a fast machine below the rate limit per address.
      await pause(20)
    }
    const results = await Promise.all(answers)

    expect(defaults.headersMs).toBeGreaterThan(0)
    expect(defaults.headersMs + defaults.checkMs).toBeLessThanOrEqual(30_000)
    for (const { answer, closedAt } of results) {
      expect(answer).toMatch(/^HTTP\/1\.1 4/)
      expect(closedAt).toBeLessThan(headersMs + 4000)
    }
    waits.sort((one, other) => one - other)
    expect(waits.length).toBeGreaterThan(5)
    expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThan(500)
    await app.close()
  },
)

onEmbeddedDatabase('T133 idle and non-HTTP connections are closed', async (stage) => {
  const { app, listen } = await startFileServer(stage)
  app.server.headersTimeout = headersMs
  Reflect.set(app.server, 'connectionsCheckingInterval', headersMs / 4)
  const port = await listen()
  const [silent, malformed] = await Promise.all([open(port), open(port)])
  for (const socket of [silent, malformed]) socket.resume().on('error', () => undefined)
  await waitUntil(async () => (await connectionsOf(app.server)) === 2)

  malformed.write('this is no request\r\n\r\n')

  await waitUntil(async () => (await connectionsOf(app.server)) === 0)
  for (const socket of [silent, malformed]) socket.destroy()
  await app.close()
})

const open = (port: number, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Sends one header line after the other and resolves to the response and the time of the close. */
async function sendHeadersSlowly(socket: Socket, elapsed: () => number): Promise<{ answer: string; closedAt: number }> {
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

const connectionsOf = (server: { getConnections(callback: (error: Error | null, count: number) => void): unknown }) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
