import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  headersMs,
  openSlowConnections,
  sendHeadersSlowly,
  slowConnections,
} from '../../../testing/clients/slow-headers.ts'
import { onEmbeddedDatabase } from '../../../testing/engines/databases.ts'
import { startStopwatch } from '../../../testing/stopwatch.ts'

onEmbeddedDatabase(
  `T133 ${slowConnections} connections with slow headers are closed in time, and others are answered within 500 ms meanwhile`,
  async (stage) => {
    const { port, sockets, close } = await openSlowConnections(stage)
    const elapsed = await startStopwatch()
    const closings = sockets.map(async (socket) => {
      await sendHeadersSlowly(socket)
      return elapsed()
    })

    const waits: number[] = []
    while (elapsed() < headersMs) {
      const waited = await startStopwatch()
      const { status } = await fetch(`http://127.0.0.1:${port}/api/upload`, { method: 'HEAD' })
      expect(status).toBe(200)
      waits.push(waited())
      // Keeps a fast machine below the rate limit per address.
      await pause(20)
    }

    for (const closedAt of await Promise.all(closings)) expect(closedAt).toBeLessThan(headersMs + 4000)
    waits.sort((one, other) => one - other)
    expect(waits.length).toBeGreaterThan(5)
    expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThan(500)
    await close()
  },
)
