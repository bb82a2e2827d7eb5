import type { FastifyInstance } from 'fastify'

/** The requests that are being answered. */
export interface RequestCount {
  readonly count: () => number
  /** Resolves when none is being answered, at the latest after this time. */
  readonly whenIdle: (maxMs: number) => Promise<void>
}

/** Counts requests from their first byte until the response is sent or its connection closed; sockets do not count. */
export function countRequests(app: FastifyInstance): RequestCount {
  let count = 0
  const waiting = new Set<() => void>()
  app.addHook('onRequest', async (request, reply) => {
    if (request.ws) return
    count += 1
    reply.raw.once('close', () => {
      count -= 1
      if (count === 0) for (const resolve of waiting) resolve()
    })
  })
  return {
    count: () => count,
    async whenIdle(maxMs) {
      if (count === 0) return
      await new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer)
          waiting.delete(finish)
          resolve()
        }
        const timer = setTimeout(finish, maxMs)
        waiting.add(finish)
      })
    },
  }
}
