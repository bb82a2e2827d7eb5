import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  open,
  openSlowConnections,
  sendHeadersSlowly,
  shortenHeaderTimeout,
  slowConnections,
} from '../../../testing/clients/slow-headers.ts'
import { onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { startFileServer, waitUntil } from '../../../testing/servers/file-server.ts'

onEmbeddedDatabase(
  `T133 ${slowConnections} connections with slow headers are closed, and others are answered meanwhile`,
  async (stage) => {
    const { port, defaults, sockets, close } = await openSlowConnections(stage)
    let closedCount = 0
    const answers = sockets.map((socket) =>
      sendHeadersSlowly(socket).finally(() => {
        closedCount += 1
      }),
    )

    const statuses: number[] = []
    while (closedCount === 0 && statuses.length < 100) {
      const { status } = await fetch(`http://127.0.0.1:${port}/api/upload`, { method: 'HEAD' })
      if (closedCount === 0) statuses.push(status)
      // Keeps a fast machine below the rate limit per address.
      await pause(20)
    }
    const results = await Promise.all(answers)

    expect(defaults.headersMs).toBeGreaterThan(0)
    expect(defaults.headersMs + defaults.checkMs).toBeLessThanOrEqual(30_000)
    for (const answer of results) expect(answer).toMatch(/^HTTP\/1\.1 4/)
    expect(statuses.length, 'responses before the first slow connection was closed').toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await close()
  },
)

onEmbeddedDatabase('T133 idle and non-HTTP connections are closed', async (stage) => {
  const { app, listen } = await startFileServer(stage)
  shortenHeaderTimeout(app.server)
  const port = await listen()
  const [silent, malformed] = await Promise.all([open(port), open(port)])
  for (const socket of [silent, malformed]) socket.resume().on('error', () => undefined)
  await waitUntil(async () => (await connectionsOf(app.server)) === 2)

  malformed.write('this is no request\r\n\r\n')

  await waitUntil(async () => (await connectionsOf(app.server)) === 0)
  for (const socket of [silent, malformed]) socket.destroy()
  await app.close()
})

const connectionsOf = (server: { getConnections(callback: (error: Error | null, count: number) => void): unknown }) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
